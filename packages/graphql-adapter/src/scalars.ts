/** What each scalar is in TypeScript, on its way in and out. A type, since an interface has no index signature. */
export type Scalars = {
  DateTime: { Input: string; Output: string }
  SafeInt: { Input: number; Output: number }
  StringMap: { Input: unknown; Output: Readonly<Record<string, string>> }
  ID: { Input: string; Output: string }
}

/** What values of a scalar are, for errors. */
export const scalarRules: Readonly<Record<string, string>> = {
  String: 'must be a string',
  ID: 'must be a string',
  Int: 'must be an integer',
  Float: 'must be a number',
  Boolean: 'must be a boolean',
  DateTime: 'must be a date and time such as 2026-03-14T09:26:53Z',
  SafeInt: 'must be an integer of up to 53 bits',
  StringMap: 'must be an object of texts',
}

/** Core checks the rest, and names the field: whether it is a date, or how long a text may be. */
export const scalars = {
  DateTime: {
    description: 'A date and time of RFC 3339, such as `2026-03-14T09:26:53Z`.',
    specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
    serialize: (value: unknown) => value as string,
    parseValue(value: unknown): string {
      if (typeof value === 'string') return value
      throw new TypeError(scalarRules['DateTime'])
    },
  },
  SafeInt: {
    description: 'An integer of up to 53 bits, as a JSON number carries it without loss.',
    serialize: (value: unknown) => value as number,
    parseValue(value: unknown): number {
      if (Number.isSafeInteger(value)) return value as number
      throw new TypeError(scalarRules['SafeInt'])
    },
  },
  StringMap: {
    description: 'Pairs of names and texts: `{ "color": "red" }`.',
    serialize: (value: unknown) => value as Readonly<Record<string, string>>,
    parseValue(value: unknown): unknown {
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
      throw new TypeError(scalarRules['StringMap'])
    },
  },
} as const
