/** A name and a value as they are typed. */
export interface Pair {
  readonly name: string
  readonly value: string
}
