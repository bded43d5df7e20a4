import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import { suggestField } from './unknown-field.ts'
import { findIssues, findShape } from './validate.ts'

const { generate, embed, generateImage, analyze } = operations

describe('an unknown field', () => {
  test.each([
    [generate, 'input', 'prompt'],
    [generate, 'contents', 'messages'],
    [generate, 'max_completion_tokens', 'maxTokens'],
    [generate, 'stopSequences', 'stop'],
    [generate, 'reasoning_effort', 'reasoning.effort'],
    [generate, 'functions', 'tools'],
    [embed, 'input', 'texts'],
    [embed, 'encoding_format', 'encoding'],
    [generateImage, 'text', 'prompt'],
    [generateImage, 'width', 'size'],
    [analyze, 'input', 'text'],
    [analyze, 'features', 'tasks'],
  ])('an unknown field of another API suggests ours: %#, %s is %s', ({ input }, name, suggestion) => {
    expect(findIssues(input, { [name]: 'x' })).toContainEqual({
      field: name,
      issue: 'is not a known field',
      suggestion,
    })
  })

  test.each([
    ['system', 'send it in "messages", with the role "system"'],
    ['parameters', 'its fields belong to the request itself'],
    ['n', 'send several requests instead'],
  ])('an unknown field without a counterpart says what to do: %s', (name, hint) => {
    const issue = `is not a known field; ${hint}`
    expect(findIssues(generate.input, { [name]: 'x' })).toContainEqual({ field: name, issue })
  })

  test('an unknown field within a message or a tool has suggestions of its own', () => {
    const input = {
      messages: [
        { role: 'assistant', content: 'a', tool_calls: [] },
        { role: 'tool', content: [{ type: 'tool_result', tool_use_id: '1', content: 'b' }] },
      ],
      tools: [{ name: 'a', parameters: {} }, { function: {} }],
    }
    expect(findIssues(generate.input, input)).toEqual(
      expect.arrayContaining([
        {
          field: 'messages[0].tool_calls',
          issue: 'is not a known field; send it in "content", as parts of the type "tool_call"',
        },
        {
          field: 'messages[1].content[0].tool_use_id',
          issue: 'is not a known field',
          suggestion: 'messages[1].content[0].toolCallId',
        },
        { field: 'tools[0].parameters', issue: 'is not a known field', suggestion: 'tools[0].inputSchema' },
        { field: 'tools[1].function', issue: 'is not a known field; its fields belong to the tool itself' },
      ]),
    )
  })

  test('an unknown field of more than 64 characters suggests nothing, because reading it would take long', () => {
    expect(suggestField(`input${'_'.repeat(59)}`, ['prompt'])).toEqual({ suggestion: 'prompt' })
    expect(suggestField(`input${'_'.repeat(60)}`, ['prompt'])).toEqual({})
    expect(suggestField(`system${'_'.repeat(60)}`, ['messages'])).toEqual({})
  })

  test('an unknown field of another API suggests nothing that the schema lacks', () => {
    expect(suggestField('system', ['name'])).toEqual({})
    expect(suggestField('input', Object.keys(findShape(operations.createUser.input) ?? {}))).toEqual({})
  })
})
