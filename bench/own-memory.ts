/** The memory flags of `npm start`. */
export const ownMemory = [
  '--max-semi-space-size=8',
  '--heap-growing-percent=30',
  '--no-allocation-site-pretenuring',
  '--no-memory-reducer',
] as const
