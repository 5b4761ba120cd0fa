
/* ---- a va_list ------------------------------------------------------------------------------------------------- */

/* One of the arguments that it leads to. */
union veer_argument {
    long long number;
    char *text;
    double real;
};

/* A va_list of x86-64 whose arguments are these, none of them in a register (System V ABI, section 3.5.7). */
VEER_UNUSED static void *veer_arguments(union veer_argument *arguments) {
    static struct {
        unsigned general, floating;
        void *rest, *saved;
    } list;
    list.general = 48;
    list.floating = 176;
    list.rest = arguments;
    list.saved = 0;
    return &list;
}
