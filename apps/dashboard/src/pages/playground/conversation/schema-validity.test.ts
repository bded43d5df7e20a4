import { describe, expect, test } from 'vitest'
import { checkJson } from './schema-validity.ts'

const schema = {
  type: 'object',
  properties: { name: { type: 'string' }, born: { type: 'integer' } },
  required: ['name', 'born'],
}

describe('checkJson', () => {
  test('checkJson accepts a value that follows the schema, and indents it', () => {
    expect(checkJson('{"name":"Goethe","born":1749}', { type: 'json_schema', schema })).toEqual({
      text: '{\n  "name": "Goethe",\n  "born": 1749\n}',
      isValid: true,
      issues: [],
    })
  })

  test('checkJson names the fields that do not follow the schema', () => {
    const { isValid, issues } = checkJson('{"born":"1749"}', { type: 'json_schema', schema })
    expect(isValid).toBe(false)
    expect(issues.join('\n')).toMatch(/The value: .*"name"/)
    expect(issues.join('\n')).toMatch(/born: .*"integer"/)
  })

  test('checkJson reports a text that is not JSON, and a JSON answer that is not an object', () => {
    expect(checkJson('{"na', { type: 'json' }).issues).toEqual(['The text is not JSON.'])
    expect(checkJson('[1]', { type: 'json' }).issues).toEqual(['The value is not an object.'])
  })
})
