/* Counts of shared memory that others read while they grow. */
#ifndef ENGINE_PUBLISH_H
#define ENGINE_PUBLISH_H
/* Publishes a count: everything written before is there when it is read. */
#define PUBLISH(field, new_value) __atomic_store_n(&(field), (new_value), __ATOMIC_RELEASE)
#endif
