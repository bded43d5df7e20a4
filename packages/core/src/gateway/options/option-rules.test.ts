import { describe, expect, test } from 'vitest'
import type { Message } from '../messages/message.ts'
import type { JsonObject } from '../../runtime/json.ts'
import { optionGuard, type OptionRules } from './option-rules.ts'

const rules: OptionRules = {
  fields: { service_tier: ['auto'], 'config.speech': [] },
  ofParts: { type: ['custom'], file_id: [] },
  tools: { typesOf: ({ type }) => [type], free: ['function', 'bash'], hosted: ['web_search'] },
}
const messages: readonly Message[] = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }]
const guard = optionGuard({ id: 'acme', rules })

describe('optionGuard', () => {
  test('optionGuard returns a request without options of the provider as it is', () => {
    const request = { messages, providerOptions: { other: { service_tier: 'priority' } } }
    expect(guard(request).request).toBe(request)
  })

  test('optionGuard removes fields of parts, of parts in results, and of functions', () => {
    const own = { acme: { file_id: 'file-1', detail: 'low' } }
    const source = { kind: 'url', url: 'https://a.example/b.png' } as const
    const image = { type: 'image', source, providerOptions: own } as const
    const result = { type: 'tool_result', toolCallId: 'c', name: 'find', content: [image] } as const
    const { request, warnings } = guard({
      messages: [
        { role: 'user', content: [image] },
        { role: 'tool', content: [result] },
      ],
      tools: [{ name: 'find', inputSchema: {}, providerOptions: { acme: { type: 'web_search_1', max_uses: 1000 } } }],
    })
    expect(JSON.stringify(request)).not.toMatch(/file-1|web_search/)
    expect(JSON.stringify(request).match(/"detail":"low"/g)).toHaveLength(2)
    expect(warnings.map(({ field }) => field)).toEqual(['providerOptions.acme.file_id', 'providerOptions.acme.type'])
  })

  test('optionGuard allows the versions of a tool by its name', () => {
    const own = { acme: { tools: [{ type: 'web_search_20250305', max_uses: 1000 }] } }
    const request = { messages, providerOptions: own }
    expect(optionGuard({ id: 'acme', rules, allow: ['web_search'] })(request).request).toEqual(request)
    expect(() => guard(request)).toThrow('the hosted tool "web_search_20250305"')
    const lookalike = { messages, providerOptions: { acme: { tools: [{ type: 'web_searching' }] } } }
    expect(() => optionGuard({ id: 'acme', rules, allow: ['web_search'] })(lookalike)).toThrow('web_searching')
  })

  test.each(['Tools', '_tools', 'TOO_LS'])('optionGuard removes tools that are spelled "%s"', (name) => {
    const own = { [name]: [{ type: 'web_search' }], detail: 'low' }
    const { request, warnings } = guard({ messages, providerOptions: { acme: own } })
    expect(request.providerOptions).toEqual({ acme: { detail: 'low' } })
    expect(warnings).toMatchObject([{ field: `providerOptions.acme.${name}` }])
  })

  test.each([
    'service_tier ',
    ' service_tier',
    'Service_Tier',
    'service\u200b_tier',
    'ſervice_tier',
    'ｓervice_tier',
    'service-tier',
  ])('optionGuard reads the field %j as an upstream may read it', (name) => {
    const own = { [name]: 'priority', detail: 'low' }
    const { request } = guard({ messages, providerOptions: { acme: own } })
    expect(request.providerOptions).toEqual({ acme: { detail: 'low' } })
    const native = optionGuard({ id: 'acme', rules, dialects: ['openai-chat'] })
    expect(native({ messages, native: { 'openai-chat': own } }).request.native).toEqual({
      'openai-chat': { detail: 'low' },
    })
  })

  test('optionGuard refuses a choice that names a hosted tool', () => {
    const tools = [{ name: 'find', inputSchema: {} }]
    const hosted = [{ type: 'web_search_1', name: 'search' }]
    for (const tool_choice of [{ type: 'tool', name: 'search' }, { type: 'web_search_1' }, { type: 'allowed_tools' }]) {
      expect(() => guard({ messages, tools, providerOptions: { acme: { tools: hosted, tool_choice } } })).toThrow(
        expect.objectContaining({ failure: 'invalid_request' }),
      )
    }
  })

  test('optionGuard keeps the other tools of the options, which count as functions', () => {
    const tools = [{ type: 'function', function: { name: 'find' } }, { type: 'unknown' }, 'odd', { type: 'bash_1' }]
    const { request, warnings } = guard({ messages, providerOptions: { acme: { tools } } })
    expect(request.providerOptions).toEqual({ acme: { tools: [tools[0], tools[3]] } })
    expect(warnings).toHaveLength(2)
  })

  test.each([
    ['service_teir', 'allow[0] is the unknown name "service_teir" (did you mean "service_tier"?)'],
    ['nothing', 'allow[0] is the unknown name "nothing"; names are: service_tier, config.speech, web_search, tools'],
  ])('optionGuard rejects the unknown name %s', (name, message) => {
    expect(() => optionGuard({ id: 'acme', rules, allow: [name] })).toThrow(`acme: ${message}`)
  })

  describe('of blocks', () => {
    const native: OptionRules = { ...rules, stored: ['file_id'] }
    const guardNative = optionGuard({ id: 'acme', rules: native, dialects: ['anthropic'] })
    const typed = { type: 'function', name: 'find' }
    const inner = { type: 'image', source: { type: 'file', file_id: 'file-1' } }
    const stored: readonly (readonly [string, JsonObject])[] = [
      ['itself', { type: 'container_upload', file_id: 'file-1' }],
      ['another spelling', { type: 'container_upload', fileId: 'file-1' }],
      ['a source', inner],
      ['a document of blocks', { type: 'document', source: { type: 'content', content: [inner] } }],
      ['an output', { type: 'computer_call_output', output: { file_id: 'file-1' } }],
      ['a list of outputs', { type: 'function_call_output', output: [{ file_id: 'file-1' }] }],
    ]
    const ask = (block: JsonObject): Parameters<typeof guardNative>[0] => ({
      native: { anthropic: {} },
      messages: [
        {
          role: 'user',
          content: [{ type: 'text', text: 'Hi' }],
          native: { anthropic: [{ role: 'user', content: [block] }] },
        },
      ],
    })
    const opaque = (data: JsonObject) =>
      ({ type: 'opaque', provider: 'acme', dialect: 'anthropic', kind: 'made_up', data }) as const
    const answer = (data: JsonObject) => ({ messages: [{ role: 'assistant', content: [opaque(data)] } as const] })

    test.each(stored)('optionGuard of blocks refuses a stored file in %s', (_place, block) => {
      const refused = expect.objectContaining({ failure: 'invalid_request', field: 'messages' })
      expect(() => guardNative(ask(block))).toThrow(refused)
      expect(() => guardNative(answer(block))).toThrow(refused)
      expect(() => guardNative({ native: { anthropic: { system: [block] } }, messages })).toThrow(refused)
      const allowed = optionGuard({ id: 'acme', rules: native, dialects: ['anthropic'], allow: ['file_id'] })
      expect(allowed(ask(block)).request).toEqual(ask(block))
    })

    test('optionGuard of blocks takes the files that a hosted tool wrote', () => {
      const result = { type: 'code_execution_tool_result', content: { type: 'result', content: [{ file_id: 'f' }] } }
      expect(guardNative(ask(result)).request).toEqual(ask(result))
    })

    test('optionGuard of blocks removes hosted tools of blocks, and fields that cost more', () => {
      const block = { type: 'additional_tools', tools: [typed, { type: 'web_search' }], service_tier: 'priority' }
      const kept = { type: 'additional_tools', tools: [typed] }
      expect(guardNative(ask(block)).request).toEqual(ask(kept))
      const { request, warnings } = guardNative(answer(block))
      expect(request).toEqual(answer(kept))
      expect(warnings.map(({ field }) => field)).toEqual([
        'providerOptions.acme.service_tier',
        'providerOptions.acme.tools',
      ])
    })

    test('optionGuard of blocks keeps the lists of tools of a server, which have no types', () => {
      const block = { type: 'mcp_list_tools', tools: [{ name: 'find' }] }
      expect(guardNative(answer(block)).request).toEqual(answer(block))
    })
  })
})
