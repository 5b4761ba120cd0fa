// entry: deliver
// about: DART's air conditioner: two messages in the right order lead to the error
#include <assert.h>
static int is_room_hot, is_door_closed, ac;

static void ac_controller(int message) {
    if (message == 0)
        is_room_hot = 1;
    if (message == 1)
        is_room_hot = 0;
    if (message == 2)
        is_door_closed = 0;
    if (message == 3)
        is_door_closed = 1;
    if (is_room_hot && is_door_closed)
        ac = 1;
    else
        ac = 0;
    if (is_room_hot && is_door_closed && !ac)
        assert(0);
}

int deliver(int first, int second) {
    is_door_closed = 0;
    ac_controller(first);
    ac_controller(second);
    return ac;
}
