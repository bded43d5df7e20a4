const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Writes a number in base 62, with leading zeros up to the length. */
export function base62(value: bigint, length: number): string {
  let digits = ''
  for (let rest = value; digits.length < length; rest /= 62n) digits = alphabet[Number(rest % 62n)] + digits
  return digits
}

/** Reads a number that `base62` wrote. */
export function readBase62(digits: string): bigint {
  let value = 0n
  for (const digit of digits) value = value * 62n + BigInt(alphabet.indexOf(digit))
  return value
}

/** Bytes as one number. */
export function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
}
