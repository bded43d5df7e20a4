/** The facts that a prompt states besides its topic, ready to stand in a sentence. */
export interface Facts {
  /** With its preposition: `on Friday at 3 pm`, `tomorrow`. */
  readonly when: string | undefined
  /** Without its preposition: `Friday at 3 pm`. */
  readonly day: string | undefined
  /** With its preposition: `at the Blue Room`. */
  readonly where: string | undefined
  /** `$1,200`, `20%`. */
  readonly amount: string | undefined
  /** A clause without its conjunction: `the courier lost the parcel`. */
  readonly reason: string | undefined
  /** The message to convey: `the meeting has moved to Friday`. */
  readonly message: string | undefined
  /** The points that must be mentioned. */
  readonly points: readonly string[]
}

const day = '(?:mon|tues|wednes|thurs|fri|satur|sun)day'
const month = '(?:january|february|march|april|may|june|july|august|september|october|november|december)'
const clock =
  "(?:\\d{1,2}(?::\\d\\d)?\\s?(?:am|pm|a\\.m\\.|p\\.m\\.)|\\d{1,2}:\\d\\d|noon|midnight|\\d{1,2} o[’']clock)"
const date = `(?:${day}(?:,? (?:the )?(?:${month} \\d{1,2}(?:st|nd|rd|th)?|\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${month}))?|${month} \\d{1,2}(?:st|nd|rd|th)?|\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${month}|\\d{4}-\\d\\d-\\d\\d)`
const relative =
  '(?:tomorrow|tonight|today|(?:this|next) (?:week|weekend|month|morning|afternoon|evening|summer|winter|spring|autumn|fall|year)|the end of (?:the|this|next) (?:week|month|year))'
/** A date or time without a preposition before it: `next Thursday`, `Monday at 10 am`, `3 pm on Tuesday`. */
export const momentPattern = new RegExp(
  `(?:(?:next|this) )?(?:${date}|${relative})(?: (?:morning|afternoon|evening|night))?(?:,? (?:at )?${clock})?|${clock}(?:,? (?:on )?(?:${date}|${relative}))?`,
)
export const whenPattern = new RegExp(
  `\\b(?:(?:on|by|before|until|since|for|this|next|every|from) )*(?:${date}|${relative})(?: (?:morning|afternoon|evening|night))?(?:,? (?:at |from |by )?${clock})?|\\b(?:at|by) ${clock}(?:,? (?:on )?(?:${date}|${relative}))?`,
  'i',
)
const wherePattern =
  /\b(?:at|in) (?:the |my |our )?[A-Z][\w’'&-]*(?: (?:of |the )?[A-Z][\w’'&-]*)*|\b(?:at|in) (?:the|my|our) (?:office|park|house|garden|beach|library|school|community cent(?:er|re)|town hall|café|cafe|main hall|conference room|backyard|gym|museum)\b/

const reasonPattern =
  /\b(?:because(?! of)|since|as) ((?:the|a|an|my|our|we|i|it|he|she|they|his|her|their|[A-Z]\w+) [^.;\n]{3,160})/i
const causePattern = /\b(?:because of|due to|owing to) ([^.;\n]{3,120})/i
const messagePattern =
  /\b(?:that|saying|to say|to tell (?:him|her|them|you)) ((?:the|a|an|my|our|we|i|it|he|she|they|his|her|their|there|[A-Z]\w+) [^.;\n]{3,200})/
const pointsPattern =
  /\b(?:mention(?:ing)?|includ(?:e|ing)|covering|cover (?=the|these|all)|highlight(?:ing)?|featuring|make sure to (?:say|mention)|(?:features?|points?|ingredients)(?=:))[: ]\s*(?:that |the following:? )?([^.\n]{3,240})/i

export function findFacts(instruction: string, source: string | undefined): Facts {
  const when = whenPattern.exec(instruction)?.[0]
  return {
    when,
    day: when?.replace(/^(?:on|at|for|by|before|until|from) /i, ''),
    where: wherePattern.exec(instruction.replace(whenPattern, ''))?.[0],
    amount:
      /(?:[$€£]\s?\d[\d,.]*\d|[$€£]\s?\d|\b\d+(?:\.\d+)?\s?(?:%|dollars|euros|pounds|percent))(?:k\b|m\b)?(?: (?:off|discount))?/i.exec(
        instruction,
      )?.[0],
    reason: clause(reasonPattern.exec(instruction)?.[1]) ?? cause(causePattern.exec(instruction)?.[1]),
    message: clause(messagePattern.exec(instruction)?.[1]),
    points: points(instruction, source),
  }
}

function clause(text: string | undefined): string | undefined {
  return text
    ?.replace(
      /,? (?:and )?(?:please|asks? (?:for|him|her|them|whether|if)|asking|in a \w+ tone|keep it|make it|mention|sign).*$/i,
      '',
    )
    .trim()
}

function cause(text: string | undefined): string | undefined {
  return text === undefined ? undefined : `of ${clause(text)}`
}

/** `agenda: budget, hiring, office move`: what follows the colon is a list and no text. */
function enumerated(source: string | undefined): string[] | undefined {
  const short = source !== undefined && source.length < 240 && !/[.!?]\s|\n/.test(source)
  return short && source.includes(',') ? source.split(/,\s*(?:and\s+)?/) : undefined
}

function points(instruction: string, source: string | undefined): string[] {
  const bullets = source
    ?.match(/^[ \t]{0,8}(?:[-*•]|\d{1,3}[.)])[ \t]+\S.*$/gm)
    ?.map((line) => line.replace(/^[ \t]*(?:[-*•]|\d+[.)])[ \t]+/, ''))
  const named = pointsPattern.exec(instruction)?.[1]?.split(/,\s*(?:and\s+)?|\s+and\s+|;\s*/)
  return (bullets ?? named ?? enumerated(source) ?? [])
    .map((point) => point.trim().replace(/[.;]$/, ''))
    .filter((point) => point !== '')
    .slice(0, 12)
}
