import { FairleadError, type Issue } from '../../runtime/errors.ts'
import { type CheckedText, requestText, withoutNativeMessages } from './request-text.ts'
import type { TargetAnswer } from '../caching/cache-entries.ts'
import { type SchemaIssue, schemaIssues } from './schema-issues.ts'
import { type Cost, recordedTokens, textCost, totalCost, totalUsage } from '../cost.ts'
import { type Message, type ResponseFormat, answerText } from '../messages/message.ts'
import { parseJson, isObject } from '../../runtime/json.ts'
import type { TextModel } from '../model.ts'
import type { TextPlan } from './prepare-text.ts'
import { promptSize } from './prompt-size.ts'
import { lastPrompt } from '../messages/text-answer.ts'
import type { TextRequest } from '../provider.ts'
import type { AnswerUsage } from '../messages/answer.ts'
import type { AttemptOwner } from '../routing/attempt.ts'
import type { ModelTarget } from '../routing/route.ts'
import type { Router } from '../routing/router.ts'

/** Whether core has to ask for the JSON of a request itself, because the model has no such setting. */
export function needsPromptedJson({ route: { model }, request: { responseFormat } }: TextPlan): boolean {
  if (!responseFormat) return false
  return responseFormat.type === 'json' ? !model.chat : !model.structured
}

/**
 * Asks a model for JSON in words, and validates the response. If it is invalid, and half of the call's time is left, the
 * model is asked once more, with the response and its issues; a second invalid response fails with `PROVIDER_ERROR`. The
 * usage is the sum of both, and is recorded and charged even if the call fails. A response that calls tools or was cut off is
 * returned as it is.
 */
export async function promptedJson(
  router: Router,
  { route, request }: TextPlan,
  owner: AttemptOwner,
): Promise<TargetAnswer<ModelTarget<TextModel>, CheckedText>> {
  const { responseFormat, ...plain } = withoutNativeMessages(request)
  const format = responseFormat as ResponseFormat
  const series = router.series(route)
  let asked = withInstructions(plain, route.model, format)
  let spent: AnswerUsage | undefined
  const costs: Cost[] = []
  let issues: readonly SchemaIssue[] = []
  for (let round = 0; round < 2; round++) {
    const { target, answer } = await router.attempt(
      'generateText',
      route,
      owner,
      ({ provider, id }, attempt) => requestText(provider, { ...asked, model: id }, attempt),
      { prompt: promptSize(asked), maxTokens: asked.maxTokens },
      series,
    )
    const usage = spent ? totalUsage(spent, answer.usage) : answer.usage
    costs.push(textCost(target.model, answer.usage))
    const cost = totalCost(costs)
    if (answer.finishReason !== 'stop') return { target, answer: { ...answer, usage, cost } }
    const content = answerText(answer)
    const json = jsonIn(content)
    const found = json === undefined ? [notJson] : issuesOf(format, JSON.parse(json))
    if (json !== undefined && !found?.length) {
      const warnings = found ? answer.warnings : [...answer.warnings, unchecked]
      return { target, answer: { ...withContent(answer, json), usage, cost, warnings } }
    }
    issues = found ?? []
    spent = usage
    owner.note({ model: target.model.id, ...recordedTokens(usage), costUsd: cost.costUsd })
    asked = withRepair(asked, route.model, content, issues)
    // A second response takes about as long, and the provider would be blamed for a timeout.
    if (series.isHalfOver()) break
  }
  throw new FairleadError(
    'PROVIDER_ERROR',
    issues[0] === notJson
      ? 'The model did not return valid JSON.'
      : `The model did not return JSON of the schema: ${issues.map(({ location }) => location).join(', ')}.`,
    { facts: { provider: series.provider, attempts: series.attempts }, billed: 'answer' },
  )
}

const notJson: SchemaIssue = { issue: 'it is not valid JSON', location: '' }
const notObject: SchemaIssue = { issue: 'it is not a JSON object', location: 'the value (type)' }
const unchecked: Issue = {
  field: 'responseFormat.schema',
  issue: 'the content was not checked against it: it is too complex, or has keywords that cannot be checked',
}

/** Adds instructions: a system message, or the end of the prompt if the model takes only a prompt. */
function withInstructions(request: TextRequest, { chat }: TextModel, format: ResponseFormat): TextRequest {
  const words = instructions(format)
  if (!chat) return withPrompt(request, `${lastPrompt(request)}\n\n${words}`)
  const system: Message = { role: 'system', content: [{ type: 'text', text: words }] }
  const at = request.messages.findIndex(({ role }) => role !== 'system')
  return { ...request, messages: request.messages.toSpliced(at, 0, system) }
}

function instructions(format: ResponseFormat): string {
  if (format.type === 'json') return 'Answer with one JSON object and nothing else.'
  const { schema, name, description } = format
  const subject = name === undefined ? 'one JSON value' : `one JSON value, called "${name}"`
  const purpose = description === undefined ? '' : ` It is for: ${description}`
  return `Answer with ${subject}, and nothing else.${purpose} It must be valid against this JSON schema:\n${JSON.stringify(schema)}`
}

/** A response is repeated to the model up to this length. */
const maxRepeated = 20_000

function withRepair(
  request: TextRequest,
  { chat }: TextModel,
  content: string,
  issues: readonly SchemaIssue[],
): TextRequest {
  const repeated = content.slice(0, maxRepeated).toWellFormed()
  const words = `That is not valid:\n${issues.map(({ issue }) => `- ${issue}`).join('\n')}\nAnswer again with the whole, corrected JSON and nothing else.`
  if (!chat) return withPrompt(request, `${lastPrompt(request)}\n\nYou answered:\n${repeated}\n\n${words}`)
  const turn: readonly Message[] = [
    ...(repeated.trim() === ''
      ? []
      : [{ role: 'assistant' as const, content: [{ type: 'text' as const, text: repeated }] }]),
    { role: 'user', content: [{ type: 'text', text: words }] },
  ]
  return { ...request, messages: [...request.messages, ...turn] }
}

function withPrompt(request: TextRequest, prompt: string): TextRequest {
  return { ...request, messages: [{ role: 'user', content: [{ type: 'text', text: prompt }] }] }
}

/** Parsing more could block the event loop. */
const maxCharacters = 1_000_000

/** The JSON in a response, without a code fence or words around it. Undefined if there is none. */
export function jsonIn(content: string): string | undefined {
  if (content.length > maxCharacters) return undefined
  const text = content.trim()
  const start = text.search(/[{[]/)
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
  return [text, ...(start >= 0 && end > start ? [text.slice(start, end + 1)] : [])].find(
    (part) => parseJson(part) !== undefined,
  )
}

/** The issues of a JSON value; undefined if it could not be checked. */
function issuesOf(format: ResponseFormat, value: unknown): readonly SchemaIssue[] | undefined {
  if (format.type === 'json_schema') return schemaIssues(format.schema, value)
  return isObject(value) ? [] : [notObject]
}

/** The answer with the bare JSON as its only text. */
function withContent({ parts, ...answer }: CheckedText, text: string): CheckedText {
  return { ...answer, parts: [...parts.filter(({ type }) => type !== 'text'), { type: 'text', text }] }
}
