/* Reads "on", "off" or a number of one digit. */
#include <stddef.h>

struct setting {
    int value;
    int is_number;
};

int parse_setting(const char *text, struct setting *setting)
{
    if (text == NULL || setting == NULL)
        return -1;
    setting->is_number = 0;
    if (text[0] == 'o' && text[1] == 'n' && text[2] == '\0') {
        setting->value = 1;
        return 0;
    }
    if (text[0] == 'o' && text[1] == 'f' && text[2] == 'f' && text[3] == '\0') {
        setting->value = 0;
        return 0;
    }
    if (text[0] >= '0' && text[0] <= '9' && text[1] == '\0') {
        setting->is_number = 1;
        setting->value = text[0] - '0';
        return 0;
    }
    return -2;
}
