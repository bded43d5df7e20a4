import { describe, expect, test } from 'vitest'
import { optionGuard, type OptionRules } from '../gateway/option-rules.ts'
import type { Message } from '../gateway/message.ts'

type Options = Readonly<Record<string, unknown>>

const id = 'guarded'
const messages: readonly Message[] = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }]
const functions = [{ name: 'find', inputSchema: { type: 'object' } }]

/** Tests a provider's table field by field: what is left out, what passes, and what the operator allows. */
export function optionRulesSuite(rules: OptionRules): void {
  const grouped = (fields: Options): Options => (rules.grouped ? { openai: fields } : fields)
  const shown = (name: string) => (rules.grouped ? `openai.${name}` : name)

  function guarded(fields: Options, allow: readonly string[] = []) {
    const own = grouped(fields)
    const { request, warnings } = optionGuard({ id, rules, allow })({ messages, providerOptions: { [id]: own } })
    return { own: request.providerOptions?.[id], sent: own, named: warnings.map(({ field }) => field) }
  }

  describe.each(Object.entries(rules.fields))('%s', (name, passing) => {
    const value = 'canary'

    test('is left out and named', () => {
      const { own, named } = guarded({ ...nested(name, value), harmless: 1 })
      expect(JSON.stringify(own)).not.toContain(value)
      expect(JSON.stringify(own)).toContain('"harmless":1')
      expect(named).toEqual([`providerOptions.${id}.${shown(name)}`])
    })

    test('is left out in another spelling', () => {
      expect(JSON.stringify(guarded(nested(respelled(name), value)).own)).not.toContain(value)
    })

    test.each([null, ...passing])('passes as %j, which asks for nothing', (harmless) => {
      const { own, sent, named } = guarded(nested(name, harmless))
      expect([own, named]).toEqual([sent, []])
    })

    test('reaches the API if the operator allows it', () => {
      const { own, sent, named } = guarded(nested(name, value), [name])
      expect([own, named]).toEqual([sent, []])
    })
  })

  const { tools } = rules
  if (!tools) return
  const asTool = (type: string): Options => ({ type, name: type, [type]: {} })

  function guardedTool(type: string, allow: readonly string[], choice?: unknown) {
    const own = { tools: [asTool(type)], ...(choice !== undefined && { tool_choice: choice }) }
    const guard = optionGuard({ id, rules: { ...rules, tools: byType }, allow })
    const { request, warnings } = guard({ messages, tools: functions, providerOptions: { [id]: own } })
    return { own: request.providerOptions?.[id], warnings }
  }
  const byType = { ...tools, typesOf: ({ type }: Options) => [type] }

  describe.each([...tools.hosted, 'a_tool_of_tomorrow'])('the hosted tool %s', (type) => {
    test('is left out and named beside functions', () => {
      expect(guardedTool(type, [])).toMatchObject({
        own: {},
        warnings: [{ field: `providerOptions.${id}.tools.${type}` }],
      })
    })

    test('is refused if the request forces it, or has nothing else', () => {
      const refusal = expect.objectContaining({ failure: 'invalid_request', field: `providerOptions.${id}.tools` })
      expect(() => guardedTool(type, [], { type })).toThrow(refusal)
      const alone = { messages, providerOptions: { [id]: { tools: [asTool(type)] } } }
      expect(() => optionGuard({ id, rules: { ...rules, tools: byType } })(alone)).toThrow(refusal)
    })

    test('reaches the API if the operator allows all tools', () => {
      expect(guardedTool(type, ['tools']).own).toEqual({ tools: [asTool(type)] })
    })
  })

  test.each(tools.hosted)('the hosted tool %s reaches the API if the operator allows it', (type) => {
    expect(guardedTool(type, [type]).own).toEqual({ tools: [asTool(type)] })
  })

  test.each(tools.free)('the tool %s, which costs nothing, reaches the API', (type) => {
    expect(guardedTool(type, []).own).toEqual({ tools: [asTool(type)] })
  })
}

/** The fields that `name` is the path of. */
function nested(name: string, value: unknown): Options {
  const [first = '', ...rest] = name.split('.')
  return { [first]: rest.length === 0 ? value : nested(rest.join('.'), value) }
}

/** `service_tier` of `serviceTier`, and the reverse. */
function respelled(name: string): string {
  if (name.includes('_')) return name.replaceAll(/_(.)/g, (_match, letter: string) => letter.toUpperCase())
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
