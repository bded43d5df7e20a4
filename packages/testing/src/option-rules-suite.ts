import { type Dialect, type Message, type OptionRules, optionGuard } from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'

type Options = Readonly<Record<string, unknown>>

const id = 'guarded'
const messages: readonly Message[] = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }]
const functions = [{ name: 'find', inputSchema: { type: 'object' } }]

/** Tests a provider's table field by field: what is left out, what passes, and what the operator allows. */
export function optionRulesSuite(rules: OptionRules, dialects: readonly Dialect[] = []): void {
  const grouped = (fields: Options): Options => (rules.grouped ? { openai: fields } : fields)
  const shown = (name: string) => (rules.grouped ? `openai.${name}` : name)

  function guarded(fields: Options, allow: readonly string[] = []) {
    const own = grouped(fields)
    const { request, warnings } = optionGuard({ id, rules, allow })({ messages, providerOptions: { [id]: own } })
    return { own: request.providerOptions?.[id], sent: own, named: warnings.map(({ field }) => field) }
  }

  describe.each(Object.entries(rules.fields))('%s', (name, passing) => {
    const value = 'canary'

    test('a guarded field is left out and named', () => {
      const { own, named } = guarded({ ...nested(name, value), harmless: 1 })
      expect(JSON.stringify(own)).not.toContain(value)
      expect(JSON.stringify(own)).toContain('"harmless":1')
      expect(named).toEqual([`providerOptions.${id}.${shown(name)}`])
    })

    test('a guarded field is left out in another spelling', () => {
      expect(JSON.stringify(guarded(nested(respelled(name), value)).own)).not.toContain(value)
    })

    test.each([null, ...passing])('a guarded field passes as %j, which asks for nothing', (harmless) => {
      const { own, sent, named } = guarded(nested(name, harmless))
      expect([own, named]).toEqual([sent, []])
    })

    test('a guarded field reaches the API if the operator allows it', () => {
      const { own, sent, named } = guarded(nested(name, value), [name])
      expect([own, named]).toEqual([sent, []])
    })
  })

  describe.each(dialects)('a native request of %s', (dialect) => {
    nativeTests(rules, dialect)
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
    test('a hosted tool is left out and named beside functions', () => {
      expect(guardedTool(type, [])).toMatchObject({
        own: {},
        warnings: [{ field: `providerOptions.${id}.tools.${type}` }],
      })
    })

    test('a hosted tool is refused if the request forces it, or has nothing else', () => {
      const refusal = expect.objectContaining({ failure: 'invalid_request', field: `providerOptions.${id}.tools` })
      expect(() => guardedTool(type, [], { type })).toThrow(refusal)
      const alone = { messages, providerOptions: { [id]: { tools: [asTool(type)] } } }
      expect(() => optionGuard({ id, rules: { ...rules, tools: byType } })(alone)).toThrow(refusal)
    })

    test('a hosted tool reaches the API if the operator allows all tools', () => {
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

/** The same rules hold for what a client wrote in its own API. */
function nativeTests(rules: OptionRules, dialect: Dialect): void {
  const settings = { id, rules, dialects: [dialect] }
  const asked = (fields: Options, block: Options = {}) => ({
    messages: messages.map((message) => ({ ...message, native: { [dialect]: [{ role: 'user', content: [block] }] } })),
    native: { [dialect]: fields },
  })

  test.each(Object.entries(rules.fields))(
    'a native request has no %s, of itself, its tools and its blocks',
    (name, passing) => {
      const canary = nested(name, 'canary')
      const given = asked(
        { ...canary, tools: [{ ...functions[0], ...canary }], harmless: 1 },
        { ...canary, text: 'Hi' },
      )
      const { request, warnings } = optionGuard({ ...settings, rules: { ...rules, tools: undefined as never } })(given)
      expect(JSON.stringify(request)).not.toContain('canary')
      expect(JSON.stringify(request)).toMatch(/"text":"Hi".*"harmless":1|"harmless":1.*"text":"Hi"/)
      expect(warnings.map(({ field }) => field)).toEqual([`providerOptions.${id}.${name}`])
      const harmless = asked(nested(name, passing[0] ?? null), { type: 'text', text: 'Hi' })
      expect(optionGuard(settings)(harmless)).toEqual({ request: harmless, warnings: [] })
      expect(optionGuard({ ...settings, allow: [name] })(asked(canary))).toEqual({
        request: asked(canary),
        warnings: [],
      })
    },
  )

  test.each(rules.stored ?? [])('a native request is refused if a block names a stored object by %s', (name) => {
    const refusal = expect.objectContaining({ failure: 'invalid_request', field: 'messages' })
    for (const block of [{ [name]: 'x' }, { source: { [name]: 'x' } }, { content: [{ source: { [name]: 'x' } }] }]) {
      expect(() => optionGuard(settings)(asked({}, block))).toThrow(refusal)
      const { request } = optionGuard({ ...settings, allow: [name] })(asked({}, block))
      expect(request).toEqual(asked({}, block))
    }
  })

  test('a native request has its unknown fields, unless they are refused', () => {
    const given = asked({ field_of_tomorrow: 1 })
    expect(optionGuard(settings)(given).request).toEqual(given)
    const strict = optionGuard({ ...settings, unknownFields: 'refuse' })
    expect(() => strict(given)).toThrow(expect.objectContaining({ field: `providerOptions.${id}.field_of_tomorrow` }))
    const known = asked(Object.fromEntries((rules.known ?? []).map((name) => [name, 1])))
    expect(strict(known).request).toEqual(known)
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
