/* Included before the user's source where the compiler only prints its syntax tree: what SAL and gcc's `access` say,
   as annotations. A definition of the user's own wins. */
#define VEER_SAL(words) __attribute__((annotate("veer:" words)))
#define __access__(...) annotate("veer:access " #__VA_ARGS__)
#ifndef _In_
#define _In_ VEER_SAL("in")
#define _In_opt_ VEER_SAL("opt")
#define _In_z_ VEER_SAL("in text")
#define _In_opt_z_ VEER_SAL("opt text")
#define _In_reads_(n) VEER_SAL("in elements " #n)
#define _In_reads_opt_(n) VEER_SAL("opt elements " #n)
#define _In_reads_bytes_(n) VEER_SAL("in bytes " #n)
#define _In_reads_bytes_opt_(n) VEER_SAL("opt bytes " #n)
#define _In_reads_z_(n) VEER_SAL("in text")
#define _In_reads_or_z_(n) VEER_SAL("in text")
#define _In_range_(low, high) VEER_SAL("range " #low ".." #high)
#endif
#ifndef _Inout_
#define _Inout_ VEER_SAL("in")
#define _Inout_opt_ VEER_SAL("opt")
#define _Inout_z_ VEER_SAL("in text")
#define _Inout_updates_(n) VEER_SAL("in elements " #n)
#define _Inout_updates_opt_(n) VEER_SAL("opt elements " #n)
#define _Inout_updates_all_(n) VEER_SAL("in elements " #n)
#define _Inout_updates_bytes_(n) VEER_SAL("in bytes " #n)
#define _Inout_updates_bytes_opt_(n) VEER_SAL("opt bytes " #n)
#endif
#ifndef _Out_
#define _Out_ VEER_SAL("out")
#define _Out_opt_ VEER_SAL("opt out")
#define _Out_writes_(n) VEER_SAL("in elements " #n)
#define _Out_writes_opt_(n) VEER_SAL("opt elements " #n)
#define _Out_writes_all_(n) VEER_SAL("in elements " #n)
#define _Out_writes_z_(n) VEER_SAL("in elements " #n)
#define _Out_writes_to_(n, used) VEER_SAL("in elements " #n)
#define _Out_writes_bytes_(n) VEER_SAL("in bytes " #n)
#define _Out_writes_bytes_opt_(n) VEER_SAL("opt bytes " #n)
#define _Out_writes_bytes_all_(n) VEER_SAL("in bytes " #n)
#define _Out_writes_bytes_to_(n, used) VEER_SAL("in bytes " #n)
#define _Out_range_(low, high)
#endif
#ifndef _Outptr_
#define _Outptr_ VEER_SAL("out")
#define _Outptr_opt_ VEER_SAL("opt out")
#define _Outptr_result_maybenull_ VEER_SAL("out")
#define _COM_Outptr_ VEER_SAL("out")
#endif
#ifndef _Printf_format_string_
#define _Printf_format_string_
#endif
