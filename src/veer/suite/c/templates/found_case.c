static const struct veer_case *veer_find(const struct veer_case *cases, const char *key)
{
    char *end;
    unsigned long number = libc_strtoul(key, &end, 10);
    for (; cases->name != NULL; cases++)
        if (libc_strcmp(cases->name, key) == 0 || (*end == 0 && number != 0 && number == (unsigned long)cases->number))
            return cases;
    return NULL;
}
