const bitsBelowTime = 80n

/** When an id was generated, in milliseconds since the epoch: its upper bits are the time. Undefined for other texts. */
export function madeAt(id: string): number | undefined {
  const [, digits] = /^[a-z]+_(\d{37})$/.exec(id) ?? []
  return digits === undefined ? undefined : Number(BigInt(digits) >> bitsBelowTime)
}
