/**
 * How long a consumer may be silent before its message goes to another one, in the queues of the contract: short,
 * because a test waits for its end, and longer than a busy machine keeps a living consumer from renewing it.
 */
export const MESSAGE_LEASE_MS = 2_000;
