static const struct veer_case *veer_find(const struct veer_case *cases, const char *key)
{
    char *end;
    unsigned long number = libc_strtoul(key, &end, 10);
    for (; cases->{{ key }} != NULL; cases++)
        if (libc_strcmp(cases->name, key) == 0 {% if key != "name" %}|| libc_strcmp(cases->{{ key }}, key) == 0 {% endif %}|| (*end == 0 && number != 0 && number == (unsigned long)cases->number))
            return cases;
    return NULL;
}
