import { toneNames } from '../brief/find-tones.ts'
import { contentWords } from './content-words.ts'
import {
  type Alternative,
  type Condition,
  type Form,
  type Grammar,
  type How,
  type Line,
  type Part,
  forms,
} from './grammar.ts'

/**
 * Reads a grammar that is written as a document.
 *
 * - `# name` begins a rule; the rule `answer` is the whole answer.
 * - A rule is a list of alternatives, each after `* `, the likeliest first; lines that are indented by two spaces
 *   belong to the alternative above. A rule without `* ` is one block of text.
 * - `{name}` stands for a rule or for a slot of the brief. An alternative that needs a slot which the prompt did
 *   not fill is not there; `{?name}` merely stays empty.
 * - `{name, how}`: `capital`, `title`; `5 times`, `about 3`, `exactly 2`, `each`;
 *   `same`, which keeps to its first choice throughout the answer; `5 syllables`.
 *   A line that is only a bullet and such a repetition becomes a list.
 * - `* [formal]`, `* [not formal]`, `* [with when]`, `* [without recipient]`: only in that tone, or with or without that slot.
 */
export function parseGrammar(document: string): Grammar {
  const sections = document.split(/^# /m).slice(1)
  const rules = sections.map((section): [string, readonly Alternative[]] => {
    const [name = '', ...lines] = section.split('\n')
    return [name.trim(), parseRule(lines.join('\n').replace(/^\n+|\s+$/g, ''))]
  })
  return new Map(rules)
}

function parseRule(body: string): Alternative[] {
  if (!body.startsWith('*')) return [parseAlternative(body)]
  return body
    .split(/^\* ?/m)
    .slice(1)
    .map((text) => parseAlternative(text.replace(/\s+$/, '').replaceAll(/^ {2}/gm, '')))
}

/** Only known names are marks: an answer may begin with its own brackets, `[name] sends the plan`. */
const mark = `(?:with(?:out)? [a-z -]+|(?:not )?(?:${toneNames.join('|')}))`
const marked = new RegExp(`^(?:\\[(${mark}(?:, ${mark})*)\\] ?)?([\\s\\S]*)$`)

function parseAlternative(text: string): Alternative {
  const [, marks = '', body = ''] = marked.exec(text)!
  const lines = body.split('\n').map(parseLine)
  const literal = lines.flatMap((line) => line.parts.filter((part) => typeof part === 'string')).join(' ')
  return { conditions: marks.split(', ').filter(Boolean).map(parseCondition), lines, words: contentWords(literal) }
}

function parseCondition(text: string): Condition {
  const slot = /^(with|without) (.+)$/.exec(text)
  if (slot) return { type: 'slot', name: slot[2]!, present: slot[1] === 'with' }
  return { type: 'tone', tone: text.replace('not ', ''), present: !text.startsWith('not ') }
}

function parseLine(line: string): Line {
  const listed = /^(\s*(?:- \[ \] |- |\d+\. |Q: )?)(\{[^{}]+, (?:\d+ times|exactly \d+|each)\})$/.exec(line)
  return listed ? { bullet: listed[1]!, parts: parseParts(listed[2]!) } : { bullet: '', parts: parseParts(line) }
}

function parseParts(line: string): Part[] {
  return line
    .split(/(\{[^{}]+\})/)
    .filter(Boolean)
    .map((part) => {
      const reference = /^\{(\??)([^,}]+)(?:, ([^}]+))?\}$/.exec(part)
      if (!reference) return part
      const how = reference[3] === undefined ? undefined : parseHow(reference[3])
      return { name: reference[2]!, optional: reference[1] === '?', how }
    })
}

function parseHow(how: string): How {
  const [, about, times, noun] = /^(?:(about|exactly) )?(\d+)(?: (times|syllables))?$/.exec(how) ?? []
  const number = Number(times)
  if (how === 'each' || how === 'same') return { type: how }
  if (about === 'about' || about === 'exactly') return { type: about, times: number }
  if (noun === 'times') return { type: 'asked', times: number }
  if (noun === 'syllables') return { type: 'syllables', syllables: number }
  const form = forms.find((known): known is Form => known === how)
  if (!form) throw new Error(`A grammar says "${how}", which is no way to put a reference.`)
  return { type: 'form', form }
}
