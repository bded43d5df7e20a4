import type { Log } from '@fairlead/core'

/** Drops every message. */
export const silentLog: Log = { error: () => {}, warn: () => {} }
