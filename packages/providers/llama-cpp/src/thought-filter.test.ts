import { describe, expect, test } from 'vitest'
import { ThoughtFilter, type ThoughtMarks } from './thought-filter.ts'

const marks: ThoughtMarks = { begin: '<think>', end: '</think>', openedByTemplate: false }

function split(given: ThoughtMarks | undefined, pieces: readonly string[]) {
  const filter = new ThoughtFilter(given)
  const parts = [...pieces.map((piece) => filter.push(piece)), filter.flush()]
  return {
    text: parts.map(({ text }) => text).join(''),
    reasoning: parts.map(({ reasoning }) => reasoning).join(''),
  }
}

describe('ThoughtFilter', () => {
  test('ThoughtFilter passes on the text of a model without reasoning marks', () => {
    expect(split(undefined, ['<think>', 'aloud'])).toEqual({ text: '<think>aloud', reasoning: '' })
  })

  test('ThoughtFilter separates reasoning that arrives in pieces, without the space around it', () => {
    const pieces = ['\n<th', 'ink>\n', 'So ', '<b> \n', '</thi', 'nk>', '\n\n', 'Hello', ' there']
    expect(split(marks, pieces)).toEqual({ text: 'Hello there', reasoning: 'So <b>' })
  })

  test('ThoughtFilter separates reasoning that the template began', () => {
    const opened = { ...marks, openedByTemplate: true }
    expect(split(opened, ['So be', ' it', '</think>Hello'])).toEqual({ text: 'Hello', reasoning: 'So be it' })
  })

  test('ThoughtFilter passes on a response without reasoning', () => {
    expect(split(marks, ['  <thin', ' ice> <think>'])).toEqual({ text: '  <thin ice> <think>', reasoning: '' })
  })

  test('ThoughtFilter passes on a short response that began like a mark', () => {
    expect(split(marks, ['<thi'])).toEqual({ text: '<thi', reasoning: '' })
  })

  test('ThoughtFilter ends with reasoning that has no end', () => {
    expect(split(marks, ['<think>on and on </th'])).toEqual({ text: '', reasoning: 'on and on </th' })
  })

  test('ThoughtFilter finds no reasoning in an empty block', () => {
    expect(split(marks, ['<think>\n\n</think>\n\nYes'])).toEqual({ text: 'Yes', reasoning: '' })
  })

  test('ThoughtFilter knows when the model reasons', () => {
    const filter = new ThoughtFilter(marks)
    const states = ['<think>', 'a', '</think>', 'b'].map((piece) => {
      filter.push(piece)
      return filter.isThinking
    })
    expect(states).toEqual([true, true, false, false])
  })
})
