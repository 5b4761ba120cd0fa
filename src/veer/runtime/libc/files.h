/* The files of a run: memory of the unit's, so that what is written keeps its constraints and nothing touches the machine's files.

       name ──► node ◄── description ◄── descriptor 0..63 ◄── stream
                contents  position        number of open()     FILE

   Whether a file that nobody made is there, and what is in it, are inputs (input_files.c). Only what lies outside of all this is the machine's: standard output and standard error, and
   descriptors from MOST_DESCRIPTORS on (sockets and the like). */
#ifndef VEER_FILES_H
#define VEER_FILES_H
#include <stdio.h>
#include <sys/types.h>

enum { MOST_DESCRIPTORS = 64, MOST_NODES = 64, STREAM_ROOM = 4096, NO_CHARACTER = -2 };
enum node_kind { UNUSED, REGULAR, FOLDER, PIPE, INPUT_END, NOTHING_THERE, OUTSIDE };

/* What is behind a name or a descriptor. A pipe's bytes are those from `start` on. INPUT_END: standard input that is no input; a file of
   no bytes. NOTHING_THERE: /dev/null. OUTSIDE: a descriptor of the machine's.
   FOLDER: a directory that the run has gone to, of which nothing else is known. */
struct node {
    enum node_kind kind;
    unsigned char *bytes;
    size_t size; /* symbolic where a file that is an input may be shorter than what was asked for */
    size_t room; /* allocated; 0: `bytes` is not the heap's */
    size_t start;
    unsigned readers, writers; /* of a pipe: descriptions */
    unsigned uses;             /* descriptions */
    unsigned links;            /* names */
    unsigned mode;
    unsigned stream_readers; /* streams that read it: each keeps what it has read ahead, or reads an input in its place */
    int outside;
};

/* An open file: O_RDONLY, O_APPEND and others in `flags`. `held`: the stream that reads and writes it; what its descriptors would see
   depends on buffers, and on places that glibc remembers. */
struct description {
    struct node *node;
    size_t position;
    int flags;
    unsigned uses; /* descriptors */
    unsigned held; /* 1 + its number, and no address: what keeps one in memory would keep it from being a leak */
};

/* -- nodes.c: names and contents -------------------------------------------------------------------------------------- */
/* The file of this name that the run has made or asked for; NULL if there is none. */
struct node *veer_node_named(const char *name);
/* The same, and of a name that is new to the run it is an input whether there is a file. */
struct node *veer_node_asked(const char *name);
/* The folder of this name; an input says whether there is one. NULL with errno. */
struct node *veer_folder_asked(const char *name);
/* From now on names begin in another folder. */
void veer_leave_folder(void);
struct node *veer_new_node(enum node_kind kind);
/* A name for the node, in the place of what had it; NULL: from now on there is no such file. */
void veer_name_node(const char *name, struct node *node);
/* 0, or -1 when nothing has that name. */
int veer_forget_name(const char *name);
/* From 1 on; no two files that are there have the same. */
unsigned veer_number_of(const struct node *node);
/* Frees what has neither name nor description. */
void veer_drop_node(struct node *node);
struct node *veer_input_node(void);
/* A number of which each value is a run of its own. */
size_t veer_fixed(size_t number);
/* Before a change: ends the run where a stream other than `held` reads the file, for what that one reads depends on its buffer. */
void veer_change_node(struct node *node, unsigned held);
void veer_resize_node(struct node *node, size_t size);
/* Copies from a place on, at most to the end of the file; how many bytes. */
size_t veer_copy_out(struct node *node, size_t position, void *to, size_t size);
void veer_copy_in(struct node *node, size_t position, const void *from, size_t size);

/* -- input_files.c ---------------------------------------------------------------------------------------------------- */
int veer_has_input_files(void);
/* A file that nobody made, whose content is an input; NULL where the input has it that there is none, or the run has asked for too many. */
struct node *veer_ask_for_file(const char *name);

/* Whether there is a folder of this name, as an input. */
int veer_ask_for_folder(const char *name);
/* What is behind a parameter that is an open file; NULL where there is none, which the code must ask for. */
struct node *veer_given_node(const char *name, unsigned long size, int may_be_none);

/* -- descriptors.c ---------------------------------------------------------------------------------------------------- */
/* Whether a number is a descriptor of the machine's (a socket, say): the executor keeps those below MOST_DESCRIPTORS taken. */
int veer_is_machines(int number);
/* What a number of a descriptor stands for; NULL, and EBADF, when it is not open. */
struct description *veer_description(int number);
/* The lowest free number for a new description of a node; -1 and EMFILE. */
int veer_open_node(struct node *node, int flags);
/* read and write without looking whether a stream holds the description. */
ssize_t veer_take_bytes(struct description *from, void *to, size_t size);
ssize_t veer_give_bytes(struct description *to, const void *from, size_t size);
/* Opens the file that has this name, or makes it where there is none and the flags say so. */
int veer_open_named(const char *name, struct node *node, int flags, unsigned mode);
int veer_libc_open(const char *name, int flags, ...);
int veer_libc_close(int number);
off_t veer_seek(struct description *file, off_t offset, int origin);

/* -- streams.c -------------------------------------------------------------------------------------------------------- */
int veer_is_own_stream(FILE *stream);
int veer_is_readable(FILE *stream);
int veer_stream_reads(unsigned held, const struct node *node);
/* Bytes to a stream of ours, through its buffer; how many were taken. */
size_t veer_put_bytes(FILE *stream, const void *from, size_t size);
FILE *veer_stream_on(int number, const char *mode);
#endif
