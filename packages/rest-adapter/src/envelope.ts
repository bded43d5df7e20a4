import type { Failure, Success } from '@fairlead/core'
import { toSnakeCase, type WireNames } from '@fairlead/core/adapter'
import { openaiList } from './openai-fields.ts'

/** The body of a success. In the quick-start form it also has the fields of the result, or of a list of OpenAI. */
export function successBody({ data, meta }: Success<unknown>, names: WireNames, hoist: boolean) {
  const wireData = names.write(data)
  const body = { success: true, data: wireData, meta: metaToWire(meta) }
  if (!hoist) return body
  return { ...body, ...(Array.isArray(wireData) ? openaiList : (wireData as object)) }
}

/** @param errorFields added to the error */
export function failureBody({ error, meta }: Failure, errorFields: object = {}) {
  return { success: false, error: { ...error, ...errorFields }, meta: metaToWire(meta) }
}

function metaToWire(meta: object): Record<string, unknown> {
  const wire: Record<string, unknown> = {}
  for (const name in meta) {
    const value: unknown = meta[name as keyof typeof meta]
    wire[wireNameOf(name)] = name === 'page' ? metaToWire(value as object) : value
  }
  return wire
}

const wireNamesOfMeta = new Map<string, string>()

function wireNameOf(name: string): string {
  let wire = wireNamesOfMeta.get(name)
  if (wire === undefined) wireNamesOfMeta.set(name, (wire = toSnakeCase(name)))
  return wire
}
