/* A parser of messages like those of SIP (RFC 3261, much shortened), in many small functions, for bench/smart_figure4.py.

   message      = ( request / status ) CRLF *( header CRLF ) CRLF
   request      = method SP uri SP version          method: I (INVITE), A (ACK), B (BYE), C (CANCEL), O (OPTIONS), R (REGISTER)
   status       = version SP 3digit SP reason
   uri          = "s:" [ user "@" ] host [ ":" port ] *( ";" parameter )
   version      = "S/" digit "." digit
   header       = ( "f" / "t" / "v" / "i" / "q" / "l" ) ":" value

   Every function takes the packet and an index, and gives the index behind what it has read, or FAILED. */
#include <veer.h>

#ifndef SIZE
#define SIZE 8
#endif
#define FAILED (-1)

enum method { NO_METHOD, INVITE, ACK, BYE, CANCEL, OPTIONS, REGISTER };

struct message {
  int method;
  int status;
  int major, minor;
  int has_user, has_port, port;
  int parameters, headers, length, sequence;
};

/* -- characters ------------------------------------------------------------------------------------------------ */

static int is_digit(int c) { return c >= '0' && c <= '9'; }

static int is_alpha(int c) {
  if (c >= 'a' && c <= 'z') return 1;
  return c >= 'A' && c <= 'Z';
}

static int is_space(int c) { return c == ' ' || c == '\t'; }

static int is_mark(int c) {
  if (c == '-' || c == '_') return 1;
  return c == '!' || c == '~';
}

static int is_user(int c) {
  if (is_alpha(c)) return 1;
  if (is_digit(c)) return 1;
  return is_mark(c) || c == '.';
}

static int is_host(int c) {
  if (is_alpha(c) || is_digit(c)) return 1;
  return c == '.' || c == '-';
}

static int is_token(int c) {
  if (is_alpha(c) || is_digit(c)) return 1;
  return c == '%' || is_mark(c);
}

static int is_end(int c) { return c == 0 || c == '\r' || c == '\n'; }

/* -- pieces ---------------------------------------------------------------------------------------------------- */

static int skip_spaces(const char *p, int i) {
  while (i < SIZE && is_space(p[i])) i++;
  return i;
}

static int expect(const char *p, int i, int c) {
  if (i < 0 || i >= SIZE) return FAILED;
  if (p[i] != c) return FAILED;
  return i + 1;
}

static int line_end(const char *p, int i) {
  if (i < 0) return FAILED;
  if (p[i] == '\r') i++;
  if (i <= SIZE && p[i] == '\n') return i + 1;
  if (i <= SIZE && p[i] == 0) return i;
  return FAILED;
}

static int to_line_end(const char *p, int i) {
  while (i < SIZE && !is_end(p[i])) i++;
  return i;
}

static int token(const char *p, int i) {
  int start = i;
  while (i < SIZE && is_token(p[i])) i++;
  return i == start ? FAILED : i;
}

static int number(const char *p, int i, int *value) {
  int read = 0;
  *value = 0;
  while (i < SIZE && read < 4 && is_digit(p[i])) {
    *value = *value * 10 + (p[i] - '0');
    read++;
    i++;
  }
  return read == 0 ? FAILED : i;
}

/* -- start line ------------------------------------------------------------------------------------------------ */

static int method_of(int c) {
  switch (c) {
    case 'I': return INVITE;
    case 'A': return ACK;
    case 'B': return BYE;
    case 'C': return CANCEL;
    case 'O': return OPTIONS;
    case 'R': return REGISTER;
    default: return NO_METHOD;
  }
}

static int version(const char *p, int i, struct message *message) {
  i = expect(p, i, 'S');
  i = expect(p, i, '/');
  if (i < 0 || i >= SIZE || !is_digit(p[i])) return FAILED;
  message->major = p[i] - '0';
  i = expect(p, i + 1, '.');
  if (i < 0 || i >= SIZE || !is_digit(p[i])) return FAILED;
  message->minor = p[i] - '0';
  return i + 1;
}

static int user(const char *p, int i) {
  int start = i;
  while (i < SIZE && is_user(p[i])) i++;
  if (i == start || i >= SIZE || p[i] != '@') return start;
  return i + 1;
}

static int host(const char *p, int i) {
  int start = i;
  if (i < SIZE && !is_alpha(p[i]) && !is_digit(p[i])) return FAILED;
  while (i < SIZE && is_host(p[i])) i++;
  return i == start ? FAILED : i;
}

static int port(const char *p, int i, struct message *message) {
  if (i >= SIZE || p[i] != ':') return i;
  i = number(p, i + 1, &message->port);
  if (i < 0) return FAILED;
  message->has_port = 1;
  if (message->port == 0) return FAILED;
  return i;
}

static int parameter(const char *p, int i) {
  i = token(p, i);
  if (i < 0 || i >= SIZE) return i;
  if (p[i] != '=') return i;
  return token(p, i + 1);
}

static int uri(const char *p, int i, struct message *message) {
  i = expect(p, i, 's');
  i = expect(p, i, ':');
  if (i < 0) return FAILED;
  int behind = user(p, i);
  message->has_user = behind != i;
  i = host(p, behind);
  if (i < 0) return FAILED;
  i = port(p, i, message);
  while (i >= 0 && i < SIZE && p[i] == ';') {
    i = parameter(p, i + 1);
    message->parameters++;
  }
  return i;
}

static int request(const char *p, struct message *message) {
  message->method = method_of(p[0]);
  if (message->method == NO_METHOD) return FAILED;
  int i = expect(p, 1, ' ');
  i = i < 0 ? FAILED : uri(p, i, message);
  i = expect(p, i, ' ');
  return i < 0 ? FAILED : version(p, i, message);
}

static int status(const char *p, struct message *message) {
  int i = version(p, 0, message);
  i = expect(p, i, ' ');
  if (i < 0) return FAILED;
  i = number(p, i, &message->status);
  if (i < 0 || message->status < 100 || message->status > 699) return FAILED;
  i = expect(p, i, ' ');
  return i < 0 ? FAILED : to_line_end(p, i);
}

/* -- headers --------------------------------------------------------------------------------------------------- */

static int length_header(const char *p, int i, struct message *message) {
  i = number(p, i, &message->length);
  if (i < 0 || message->length > SIZE) return FAILED;
  return i;
}

static int sequence_header(const char *p, int i, struct message *message) {
  i = number(p, i, &message->sequence);
  if (i < 0) return FAILED;
  i = skip_spaces(p, i);
  return token(p, i);
}

static int header(const char *p, int i, struct message *message) {
  int name = p[i];
  i = expect(p, i + 1, ':');
  if (i < 0) return FAILED;
  i = skip_spaces(p, i);
  switch (name) {
    case 'l': return length_header(p, i, message);
    case 'q': return sequence_header(p, i, message);
    case 'f':
    case 't': return uri(p, i, message);
    case 'v':
    case 'i': return token(p, i);
    default: return to_line_end(p, i);
  }
}

static int headers(const char *p, int i, struct message *message) {
  while (i >= 0 && i < SIZE && !is_end(p[i])) {
    i = header(p, i, message);
    i = line_end(p, i);
    message->headers++;
  }
  return i;
}

/* -- message --------------------------------------------------------------------------------------------------- */

static int check(const struct message *message) {
  if (message->major != 2 || message->minor != 0) return FAILED;
  if (message->method == INVITE && !message->has_user) return FAILED;
  if (message->status == 180 && message->headers > 1) return 2;
  return 1;
}

int parse(const char *p, struct message *message) {
  int i = p[0] == 'S' ? status(p, message) : request(p, message);
  i = line_end(p, i);
  if (i < 0) return FAILED;
  i = headers(p, i, message);
  if (i < 0) return FAILED;
  return check(message);
}

int packet(void) {
  char bytes[SIZE + 1];
  struct message message = {0};
  veer_input(bytes, SIZE, "bytes");
  bytes[SIZE] = 0;
  return parse(bytes, &message);
}
