import * as z from 'zod'
import { recordUpTo, textAtMost, namedStrictObject, namedEnum } from '../../runtime/schema/field-schemas.ts'
import type { Dialect, ReasoningEffort } from './message.ts'
import { maxCitations, maxToolCallId } from '../provider-responses.ts'

/** About twice the context of the largest models: 2.5 million tokens of English. */
export const maxTextCharacters = 10_000_000
const maxMessages = 10_000
const maxParts = 1_000
export const maxTools = 512
const maxProviders = 20
const maxOptions = 100
const maxObjectFields = 10_000

const toolName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,128}$/, { error: 'must have 1 to 128 letters, digits, "_" or "-"' })
  .meta({ minLength: 1, maxLength: 128 })
const toolCallId = z.string().min(1).max(maxToolCallId)
const mediaType = z
  .string()
  .max(100)
  .regex(/^[\w.+-]+\/[\w.+-]+$/, { error: 'must be a media type such as image/png' })

const freeForm = recordUpTo(maxOptions, z.unknown())
const jsonObject = recordUpTo(maxObjectFields, z.unknown())

export const providerOptions = recordUpTo(maxProviders, freeForm).describe(
  'Data for single providers, by provider id, such as `{"anthropic": {"cache_control": {"type": "ephemeral"}}}`. Names follow the provider’s API.',
)

const options = { providerOptions: providerOptions.optional() }

function typed<Type extends string>(type: Type): z.ZodLiteral<Type> {
  return z.literal(type).describe(`Always \`${type}\`.`)
}

const index = z.int().min(0)
const citation = namedStrictObject('Citation', 'A source of a text.', {
  url: z.string().optional().describe('Address of the source.'),
  title: z.string().optional().describe('Title of the source.'),
  document: index.optional().describe('Index of the cited file among the files of the request.'),
  quote: z.string().optional().describe('The words of the source.'),
  start: index.optional().describe('Where the range in the text begins, in UTF-16 code units.'),
  end: index.optional().describe('Where it ends: the index behind its last code unit.'),
})

const textPart = namedStrictObject('TextPart', 'A text.', {
  type: typed('text'),
  text: textAtMost(maxTextCharacters).describe('The text.'),
  citations: z.array(citation).max(maxCitations).optional().describe('Sources of the text, in answers.'),
  ...options,
})

const media = {
  url: z.string().max(30_000_000).optional().describe('An https URL, or a `data:` URL.'),
  data: z
    .string()
    .min(1)
    .max(30_000_000)
    .optional()
    .describe('The bytes in base64. Either `url` or `data` is required.'),
}

const imagePart = namedStrictObject('ImagePart', 'An image: PNG, JPEG, GIF, or WebP.', {
  type: typed('image'),
  ...media,
  mediaType: mediaType.optional().describe('Of `data`. Default: recognized from the bytes.'),
  ...options,
})

const filePart = namedStrictObject('FilePart', 'A file, such as a PDF document.', {
  type: typed('file'),
  ...media,
  mediaType: mediaType.describe('Media type, such as `application/pdf`.'),
  filename: z.string().min(1).max(255).optional().describe('Name of the file.'),
  ...options,
})

const inputText = textAtMost(maxTextCharacters).optional()

const toolCallPart = namedStrictObject('ToolCallPart', 'A call of a tool by the model.', {
  type: typed('tool_call'),
  id: toolCallId.describe('Id of the call, which its result repeats.'),
  name: toolName.describe('Name of the tool.'),
  input: jsonObject.describe('Input of the tool. Empty if the model wrote no JSON object.'),
  inputText: inputText.describe(
    'Text of the input as the model wrote it, unless it is the JSON of `input`. A provider that takes a text gets it back unchanged.',
  ),
  ...options,
})

const toolResultPart = namedStrictObject('ToolResultPart', 'The result of a tool call.', {
  type: typed('tool_result'),
  toolCallId: toolCallId.describe('Id of the call.'),
  content: contentOf(
    z
      .discriminatedUnion('type', [textPart, imagePart, filePart])
      .meta({ id: 'ToolResultContentPart', description: 'A part of a tool’s result.' }),
  ).describe('The result of the tool: text, or parts.'),
  isError: z.boolean().optional().describe('Whether the tool failed.'),
  ...options,
})

const reasoningPart = namedStrictObject('ReasoningPart', 'The reasoning of the model before its answer.', {
  type: typed('reasoning'),
  text: textAtMost(maxTextCharacters).describe('The text. Empty if the provider encrypts it.'),
  ...options,
})

const refusalPart = namedStrictObject('RefusalPart', 'The text with which the model declined to answer.', {
  type: typed('refusal'),
  text: textAtMost(maxTextCharacters).describe('The text.'),
  ...options,
})

const opaquePart = namedStrictObject('OpaquePart', 'A block of a provider’s own, such as a search that it ran.', {
  type: typed('opaque'),
  provider: z.string().max(100).describe('Id of the provider, which alone gets the block back.'),
  dialect: namedEnum<Dialect>('Dialect', 'The API that a block is from.', {
    'openai-chat': 'Chat completions of OpenAI.',
    'openai-responses': 'The Responses API of OpenAI.',
    'openai-completions': 'Completions of OpenAI, which predate chat completions.',
    anthropic: 'The Messages API of Anthropic.',
    google: 'The Gemini API of Google.',
    'ai-sdk': 'The AI SDK, whose packages have a form of their own.',
  }).describe('The API that the block is from.'),
  kind: z.string().max(256).describe('The API’s name for the block, such as `web_search_tool_result`.'),
  data: jsonObject.describe('The block as the provider sent it.'),
})

const contentPart = z
  .discriminatedUnion('type', [
    textPart,
    imagePart,
    filePart,
    reasoningPart,
    refusalPart,
    toolCallPart,
    toolResultPart,
    opaquePart,
  ])
  .meta({ id: 'ContentPart', description: 'A part of a message.' })

/** The roles, and which parts a message of each may have. */
export const partsOfRole = {
  system: ['text'],
  user: ['text', 'image', 'file'],
  assistant: ['text', 'reasoning', 'refusal', 'tool_call', 'file', 'opaque'],
  tool: ['tool_result'],
} as const satisfies Readonly<Record<string, readonly z.output<typeof contentPart>['type'][]>>

const message = namedStrictObject('Message', 'A message of a conversation.', {
  role: namedEnum<keyof typeof partsOfRole>('MessageRole', 'The author of a message.', {
    system: 'Instructions to the model.',
    user: 'The user.',
    assistant: 'The model.',
    tool: 'The results of tool calls.',
  }).describe('The author of the message.'),
  content: contentOf(contentPart).describe(
    'Text, or parts: `text` in every role but `tool`, `image` and `file` of a user, `reasoning`, `refusal`, `tool_call`, `file`, and `opaque` of an assistant, `tool_result` of a tool.',
  ),
})

export type MessageInput = z.output<typeof message>
export type PartInput = z.output<typeof contentPart>

const tool = namedStrictObject('Tool', 'A function that the model may call. Your program runs it.', {
  name: toolName.describe('Name of the tool.'),
  description: textAtMost(100_000).optional().describe('A description of the tool, for the model.'),
  inputSchema: jsonObject.describe('JSON schema of the tool’s input, of type `object`.'),
  strict: z
    .boolean()
    .optional()
    .describe('Whether inputs must follow the schema exactly, if the provider can enforce it.'),
  ...options,
})

const toolChoice = z
  .strictObject(
    {
      type: namedEnum('ToolChoiceType', 'Whether the model calls tools.', {
        auto: 'The model decides.',
        none: 'No tool.',
        required: 'At least one tool, or a search of the web.',
        tool: 'The tool with the name.',
      }).describe('`auto`: the model decides. `none`: no tool. `required`: any tool. `tool`: the tool called `name`.'),
      name: toolName.optional().describe('Name of the tool, with `tool`.'),
    },
    {
      // As a string is what the chat completions API of OpenAI takes.
      error: ({ code }) => (code === 'invalid_type' ? 'must be an object, such as {"type": "required"}' : undefined),
    },
  )
  .meta({ id: 'ToolChoice', description: 'Whether the model calls tools.' })

const domains = z.array(textAtMost(253).min(1)).min(1).max(100)
const place = textAtMost(256).min(1).optional()

const webSearch = namedStrictObject('WebSearch', 'Searches of the web, which the provider runs while it answers.', {
  maxUses: z.int().min(1).max(1_000).optional().describe('Maximum number of searches. Default: the provider’s.'),
  allowedDomains: domains.optional().describe('Domains whose pages may be found. Default: all.'),
  blockedDomains: domains
    .optional()
    .describe('Domains whose pages may not be found. Cannot be combined with `allowed_domains`.'),
  userLocation: namedStrictObject('UserLocation', 'Where the user is, approximately.', {
    city: place.describe('City.'),
    region: place.describe('Region, or state.'),
    country: place.describe('Country, as two letters of ISO 3166-1.'),
    timezone: place.describe('IANA time zone, such as `Europe/Lisbon`.'),
  })
    .optional()
    .describe('Where the user is, approximately. Default: unknown.'),
})

const responseFormat = namedStrictObject('ResponseFormat', 'The format of the content.', {
  type: namedEnum('ResponseFormatType', 'Format of the content.', {
    text: 'Text.',
    json: 'A JSON object.',
    json_schema: 'JSON that follows the schema.',
  }).describe('`text`, `json`: a JSON object, or `json_schema`: JSON that follows `schema`.'),
  schema: jsonObject.optional().describe('The JSON schema, with `json_schema`.'),
  name: toolName.optional().describe('Name of the schema, for the model.'),
  description: textAtMost(10_000).optional().describe('A description of the JSON, for the model.'),
  strict: z.boolean().optional().describe('Whether the provider must enforce the schema.'),
})

const reasoning = namedStrictObject('Reasoning', 'Reasoning before the answer.', {
  effort: namedEnum<ReasoningEffort>('ReasoningEffort', 'How much the model reasons.', {
    none: 'Not at all, if the model can answer without reasoning.',
    minimal: 'As little as possible.',
    low: 'Little.',
    medium: 'A medium amount.',
    high: 'A lot.',
    xhigh: 'More than a lot.',
    max: 'The most that the model can.',
  })
    .nullable()
    .describe(
      'How much the model reasons. `none` turns reasoning off. The nearest effort that the model has is used. Null for the model’s own default, unless the provider is configured with an effort.',
    ),
})

/** The fields of `generate` beside `prompt` and its settings. */
export const conversationFields = {
  messages: z
    .array(message)
    .min(1)
    .max(maxMessages)
    .optional()
    .describe('Conversation. Either `prompt` or `messages` is required.'),
  tools: z.array(tool).max(maxTools).optional().describe('Tools that the model may call.'),
  toolChoice: toolChoice.optional().describe('Whether the model calls tools. Default: `auto`.'),
  parallelToolCalls: z
    .boolean()
    .optional()
    .describe('Whether the model may call several tools at once. Default: the provider’s.'),
  webSearch: webSearch
    .optional()
    .describe(
      'Lets the model search the web, where the operator allows it; the model decides when. Sources are `citations` of the text. Default: no search.',
    ),
  responseFormat: responseFormat.optional().describe('Format of the content. Default: text.'),
  reasoning: reasoning
    .optional()
    .describe(
      'Reasoning before the answer. Default: the effort that the provider is configured with, else the lowest that the model has with `prompt`, and the model’s own with `messages`.',
    ),
  providerOptions: providerOptions.optional(),
}

export const answerPart = z
  .discriminatedUnion('type', [textPart, reasoningPart, refusalPart, toolCallPart, filePart, opaquePart])
  .meta({ id: 'AnswerPart', description: 'A part of an answer.' })

function contentOf<Part extends z.ZodType>(part: Part) {
  return z.union([textAtMost(maxTextCharacters), z.array(part).min(1).max(maxParts)])
}
