import { findTones } from './find-tones.ts'
import { courtesyTitle, roles } from './find-people.ts'
import { whenPattern } from './find-facts.ts'
import { findMove } from './find-move.ts'

const audience =
  '(?:kids|children|toddlers|teen\\w*|students|beginners|adults|seniors|experts|managers|developers|a child|a beginner|non-experts|an? [\\w-]+[- ]year[- ]old|new (?:users|parents|employees|hires)|busy people)'

/** Where a topic ends and another wish begins. */
const boundaries = new RegExp(
  [
    String.raw`(?<!\b(?:Mr|Mrs|Ms|Dr|Prof|St|[A-Z]\.[A-Z]))[.;!?\n](?:\s|$)`,
    String.raw`,? (?:because|since|due to|owing to|so that|and (?:mention|include|say|sign|make|keep|tell|explain|ask)|mention|includ|saying|signed?|using|please|thanks|make it|keep it|make sure|highlight|featur(?:ing|e)\b|covering|aimed|addressed|written|limited|called|named|that (?:mentions?|includes?|is|are|has|have|was|will|says?))`,
    String.raw`,? (?:in|with|using) (?:an? )?(?:[\w-]+ ){0,3}(?:tone|style|voice|way|manner|words?|sentences?|paragraphs?|lines?|bullets?|points?|steps?|detail|form)\b`,
    String.raw`,? (?:in|under|within|of|about|around|max(?:imum)?|at most|no more than|less than) \d+\b`,
    String.raw`,? (?:for|with|from) (?:my |our |the )?[A-Z][a-z]+(?: [A-Z][a-z]+)*(?= (?:about|regarding|for|on|that|saying)|[.,]|$)`,
    String.raw`,? (?:for|to) ${audience}\b`,
    String.raw`,? (?:like [iI]['’]m|as if|as though|step by step|in simple terms|briefly|in detail|in english|in plain english)\b`,
    String.raw`,? at [A-Z]`,
    String.raw`, (?!(?:an? |the )?\w+ and\b)`,
  ].join('|'),
)

const openings = [
  /\b(how to .+)/is,
  /\b(?:about|regarding|concerning|on the (?:topic|subject|theme) of|announcing|celebrating|promoting|advertising|describing|explaining|introducing|apologi[sz]ing for|complaining about|apology for)\s+(.+)/is,
  /\b(?:pros and cons|benefits|advantages|history|importance|description|meaning|review|summary|definition|concept|overview|outline|basics) (?:of|for|on)\s+(.+)/is,
  /\b(?:vs\.?|versus)\b/i,
  /\b(?:explain(?: to \w+)?(?: what| how| why)?|describe|brainstorm|define|compare|introduce|announce|review|advertise|promote|celebrate|plan(?! for\b| to\b)|reminder to|remember to)\s+(?!(?:an? |me )?(?:e-?mail|letter)\b)(.+)/is,
  /\b(?:thank(?:ing)? (?:you|\w+)|apolog\w+ (?:e-?mail |letter |note )?(?:to (?:my |the |our )?[\w]+ )?|sorry(?: e-?mail| note)?(?: to \w+)?) for\s+(.+)/is,
  /\binvit\w+(?: \w+){0,3}? (?:to|for)\s+((?:an? |the |my |our )[a-z].+)/is,
  /\b(?:for|on|of|to) ((?:an? |the |my |our |your |his |her |their |this )?[a-z0-9].+)/is,
  /\b(?:for|on|of) (.+)/is,
]

const leading =
  /^(?:(?:(?:one|two|three|four|five|\d{1,3})-(?:sentence|word|line|paragraph|page|minute)|what (?:is|are)|please|hey|hi|hello|ok|so|now|can you|could you|would you|will you|i want you to|i need|i'd like|i would like|help me(?: to)?|let's|me|us|to|an?|the|some|my|new|few|quick|nice|good|great|short|long|brief|simple|creative|detailed|friendly|formal|professional|funny|one|two|three|four|five|six|seven|eight|nine|ten|\d+|write|draft|compose|create|generate|make|give|tell|come up with|suggest|list|name|prepare|produce|show|need|want|provide|explain|describe|brainstorm)\b[\s,:]*)+/i

/** The topic as the prompt words it, article included: `the delayed invoice`, `a solar lantern`, `rain`. */
export function findTopic(instruction: string, kindWords: RegExp | undefined): string | undefined {
  const asked = withoutPeople(instruction).replace(seller, '')
  const named = findMove(instruction)?.what ?? questioned(instruction) ?? findSubject(instruction)
  if (named !== undefined) return named
  for (const opening of openings) {
    const found = opening.exec(asked)?.[1]
    const topic = found === undefined ? undefined : trimmed(found).replace(container, '')

    if (topic !== undefined && topic !== '' && !isNoTopic(topic) && !isAudience.test(topic)) return topic
  }
  return leftover(asked, kindWords)
}

const isAudience = new RegExp(`^${audience}$`, 'i')

/** "A company that sells running shoes" is advertised by its shoes. */
const seller =
  /\b(?:an?|the|my|our) (?:[\w-]+ )?(?:company|start-?up|business|firm|brand|shop|store) (?:that|which|who) (?:sells?|makes?|offers?|builds?|produces?|delivers?|designs?) /i

const noun = "((?:an? |the )?[\\w'’-]+(?: [\\w'’-]+){0,4}?)"
const questions = [
  /\b(?:explain|describe|tell|teach|understand|learn)\b.*? what (?:is|was) meant by ([\w'’ -]+)/i,
  new RegExp(
    `\\b(?:explain|describe|tell|teach|understand|learn)\\b.*? what ${noun} (?:is|are|was|were|means?|does|do)\\b`,
    'i',
  ),
  new RegExp(
    `\\b(?:explain|describe|tell|teach|understand|learn)\\b.*? how ${noun} (?:works?|functions?|operates?|happens?|is made|are made)\\b`,
    'i',
  ),
]

/** "Explain what a hash map is", "how a hash map works": what the question is about. */
function questioned(instruction: string): string | undefined {
  const found = questions.map((question) => question.exec(instruction)?.[1]).find((thing) => thing !== undefined)
  return found === undefined ? undefined : trimmed(found)
}

/** A text is rarely about the essay that is to be written on it. */
const container =
  /^(?:(?:an?|the|my|our) )?(?:[\w-]+ )?(?:essay|talk|presentation|blog ?post|article|book|paper|speech|report|lecture|course|story|novel|poem|e-?mail|letter|post|video|podcast|webinar|workshop)s? (?:on|about|of|regarding)\s+/i

const person = `(?:${courtesyTitle}[A-Z][\\p{L}’'-]+(?: (?:and )?[A-Z][\\p{L}’'-]+)*|(?:(?:an?|the|my|our|all) )?(?:${roles}))`
const addressed = new RegExp(
  `\\b(?:(?<=(?:e-?mail|letter|note|message|reply|card|invitation|apology|complaint|memo|post|reminder|announcement|speech|toast|write|apologi[sz]ing|apologi[sz]e|sorry|response|update|thanks|wishes)(?: [\\p{L}-]+)?) (?:to|for)|(?<=\\b[Rr]emind|[Tt]ell|[Tt]hank|[Ii]nvite|[Aa]sk|[Cc]ongratulate|inviting|reminding|thanking|telling|asking|congratulating)) ${person}(?![\\p{L}’']| [A-Z])`,
  'u',
)

/** The request without whom it goes to, which would pass for its topic: "a note to Sam for the gift". */
function withoutPeople(instruction: string): string {
  const without = instruction.replace(addressed, '')
  return /(?:about|for|on|of|to|regarding|that)\s+\S/i.test(without) || without.length > 24 ? without : instruction
}

/** "Remind Tom that the rent is due": what the clause is about. */
function findSubject(instruction: string): string | undefined {
  return /\bthat ((?:the|my|our|your|his|her|their) (?:[\w'’-]+ ){0,4}?[\w'’-]+) (?:is|are|was|were|has|have|will|must|needs?|should|can|starts?|begins?|moved|did)\b/i.exec(
    instruction,
  )?.[1]
}

/** "haiku rain", "coffee shop slogan": what remains once the request itself is taken away. */
function leftover(instruction: string, kindWords: RegExp | undefined): string | undefined {
  const bare = instruction.trim().replace(leading, '')
  const rest = kindWords ? bare.replace(new RegExp(kindWords.source, 'gi'), ' ') : bare
  const topic = trimmed(rest.replace(leading, '').trim())
  const onlyTone = topic.split(' ').every((word) => findTones(word).size > 0)
  return topic === '' || isNoTopic(topic) || onlyTone ? undefined : topic
}

function trimmed(text: string): string {
  const end = boundaries.exec(text)
  const cut = (end && end.index > 0 ? text.slice(0, end.index) : text).slice(0, 160)
  return (
    cut
      .replace(/^how to ([a-z]+)\b/i, (_, verb: string) => gerund(verb))
      .replace(/^(?:that|after|following|how|why|what|when|the (?:importance|meaning|basics|concept) of) /i, '')
      // "Tomorrow's meeting" is about the meeting.
      .replace(new RegExp(`(?:${whenPattern.source})(?:['’]s)?`, 'i'), (when) => (/['’]s$/.test(when) ? ' the ' : ' '))
      .replace(/,? at (?:the )?[A-Z][\w’'&-]*(?: [A-Z][\w’'&-]*)*/, ' ')
      .replace(
        / (?:launching|starting|beginning|happening|opening|coming|taking place|scheduled|due|after|following)\s*$/i,
        '',
      )
      .replaceAll(/\s+/g, ' ')
      .replace(/^["“'‘`\s]+|(?<![A-Z]\.[A-Z])["”'’`\s,:;.!?]+$/g, '')
      .replace(/\s+(?:on|at|by|in|to|for|with|and|from|of|please)$/i, '')
      .trim()
  )
}

/** "tie" becomes "tying": "how to tie a tie" is about tying a tie. */
function gerund(verb: string): string {
  if (verb.endsWith('ie')) return `${verb.slice(0, -2)}ying`
  if (/[^e]e$/.test(verb)) return `${verb.slice(0, -1)}ing`
  return /^[^aeiou]*[aeiou][bdgmnprt]$/.test(verb) ? `${verb}${verb.at(-1)}ing` : `${verb}ing`
}

function isNoTopic(topic: string): boolean {
  return (
    /^(?:(?:myself|yourself|us|me)\b.*|you|it|for|about|on|of|this|that|them|him|her|fun|free|my|the|an?|example|sure|(?:the|this) (?:text|above|following|passage|article)|today|tomorrow|write|work|(?:in|at|on|by|from|with) .*)$/i.test(
      topic,
    ) || !/[\p{L}\p{N}\p{So}]/u.test(topic)
  )
}
