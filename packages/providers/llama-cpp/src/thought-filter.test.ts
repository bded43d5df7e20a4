import { describe, expect, test } from 'vitest'
import { type ThoughtMarks, withoutThoughts } from './thought-filter.ts'

const marks: ThoughtMarks = { begin: '<think>', end: '</think>', openedByTemplate: false }

function filtered(given: ThoughtMarks | undefined, pieces: readonly string[]) {
  const filter = withoutThoughts(given)
  const text = pieces.map((piece) => filter.push(piece)).join('') + filter.flush()
  return { text, thought: filter.thought }
}

describe('withoutThoughts', () => {
  test('passes on the text of a model without reasoning marks', () => {
    expect(filtered(undefined, ['<think>', 'aloud'])).toEqual({ text: '<think>aloud', thought: false })
  })

  test('removes reasoning that arrives in pieces, and the space after it', () => {
    const pieces = ['\n<th', 'ink>\nSo', ' <b>', '</thi', 'nk>', '\n\n', 'Hello', ' there']
    expect(filtered(marks, pieces)).toEqual({ text: 'Hello there', thought: true })
  })

  test('removes reasoning that the template began', () => {
    const opened = { ...marks, openedByTemplate: true }
    expect(filtered(opened, ['So be it', '</think>Hello'])).toEqual({ text: 'Hello', thought: true })
  })

  test('passes on a response without reasoning', () => {
    expect(filtered(marks, ['  <thin', ' ice> <think>'])).toEqual({ text: '  <thin ice> <think>', thought: false })
  })

  test('passes on a short response that began like a mark', () => {
    expect(filtered(marks, ['<thi'])).toEqual({ text: '<thi', thought: false })
  })

  test('passes on nothing of endless reasoning', () => {
    expect(filtered(marks, ['<think>on and on'])).toEqual({ text: '', thought: true })
  })
})
