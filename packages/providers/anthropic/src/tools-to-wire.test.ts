import type { TextRequest } from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import { findRules } from './model-rules.ts'
import { toTools } from './tools-to-wire.ts'

const tool = { name: 'find', inputSchema: { properties: { q: { type: 'string', maxLength: 9 } } } }

function wire(request: Partial<TextRequest>, model = 'claude-haiku-5-5') {
  return toTools({ model, messages: [], tools: [tool], ...request }, 'anthropic', findRules(model))
}

describe('tools', () => {
  test('tools have the schema of an object, and the options of the provider', () => {
    const own = { anthropic: { cache_control: { type: 'ephemeral' } }, openai: { x: 1 } }
    expect(wire({ tools: [{ ...tool, providerOptions: own }] })).toEqual({
      fields: {
        tools: [{ name: 'find', input_schema: { type: 'object', ...tool.inputSchema }, ...own.anthropic }],
      },
      warnings: [],
    })
  })

  test('tools have a schema that the API can enforce if they are strict', () => {
    expect(wire({ tools: [{ ...tool, strict: true }] }).fields.tools?.[0]).toHaveProperty('input_schema', {
      type: 'object',
      properties: { q: { type: 'string', description: '(maxLength: 9)' } },
      additionalProperties: false,
    })
  })

  test('alternatives at the root of a schema are joined, with a warning', () => {
    const inputSchema = { oneOf: [{ properties: { a: {} }, required: ['a'] }, { properties: { b: {} } }] }
    const { fields, warnings } = wire({ tools: [{ name: 'find', inputSchema }] })
    expect(fields.tools?.[0]).toHaveProperty('input_schema', { type: 'object', properties: { a: {}, b: {} } })
    expect(warnings).toEqual([{ field: 'tools[0].inputSchema', issue: 'the model does not see oneOf of the root' }])
  })

  test('a strict schema with keywords that the API cannot enforce gets a warning', () => {
    expect(wire({ tools: [{ ...tool, strict: true }] }).warnings).toEqual([
      { field: 'tools[0].inputSchema', issue: 'the model follows maxLength without a guarantee' },
    ])
  })

  test('tools are absent if the request has none', () => {
    expect(wire({ tools: [], parallelToolCalls: false }).fields).toEqual({})
  })
})

describe('the tool choice', () => {
  test.each<[Partial<TextRequest>, object | undefined]>([
    [{}, undefined],
    [{ toolChoice: { type: 'auto' } }, { type: 'auto' }],
    [{ toolChoice: { type: 'none' }, parallelToolCalls: false }, { type: 'none' }],
    [{ toolChoice: { type: 'required' } }, { type: 'any' }],
    [{ toolChoice: { type: 'tool', name: 'find' } }, { type: 'tool', name: 'find' }],
    [{ parallelToolCalls: false }, { type: 'auto', disable_parallel_tool_use: true }],
    [{ parallelToolCalls: true }, undefined],
  ])('the tool choice of %j is %j', (request, choice) => {
    expect(wire(request).fields.tool_choice).toEqual(choice)
  })

  test.each(['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-fable-5-2'])(
    'the tool choice is left to %s, which takes no forced tool, with a warning',
    (model) => {
      const { fields, warnings } = wire({ toolChoice: { type: 'required' }, parallelToolCalls: false }, model)
      expect(fields.tool_choice).toEqual({ type: 'auto', disable_parallel_tool_use: true })
      expect(warnings).toMatchObject([{ field: 'toolChoice' }])
    },
  )
})
