/** How large an operation may be. What is larger is refused before any of it runs. */
export interface Limits {
  /** Of a document, as the parser counts them. Default: 1,000. */
  readonly tokens: number
  /** In the variables, objects and lists counted with what is in them. Default: 2,000. */
  readonly values: number
  /** Fields within fields. Default: 10. */
  readonly depth: number
  /** Fields in all, however deep. Default: 500. */
  readonly breadth: number
  /** Fields under a name of the caller's choice. Default: 50. */
  readonly aliases: number
  /** Fields of one name in one place, which become one in the answer. Default: 25. */
  readonly repeats: number
  /** Fields in the answer, lists counted by the length that is asked for; a model call counts as 20. Default: 5,000. */
  readonly complexity: number
}

export const defaultLimits: Limits = {
  tokens: 1_000,
  values: 2_000,
  depth: 10,
  breadth: 500,
  aliases: 50,
  repeats: 25,
  complexity: 5_000,
}
