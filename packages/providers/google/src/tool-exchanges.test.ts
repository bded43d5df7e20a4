import { readToolInput } from '@fairlead/core/provider'
import { type GenerateContentConfig, FunctionCallingConfigMode, ThinkingLevel } from '@google/genai'
import { expect } from 'vitest'
import { exchangeTests, signed, text, user } from './testing/exchange-tests.ts'

const older = 'gemini-2.5-flash'
const newer = 'gemini-3.8-flash'
const noThinking: GenerateContentConfig = { thinkingConfig: { thinkingBudget: 0 } }
const lowThinking: GenerateContentConfig = { thinkingConfig: { thinkingLevel: ThinkingLevel.LOW } }
const inputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tools = [{ name: 'get_weather', description: 'Returns the weather of a city.', inputSchema }]
const sdkTools = [
  {
    functionDeclarations: [
      { name: 'get_weather', description: 'Returns the weather of a city.', parametersJsonSchema: inputSchema },
    ],
  },
]
const png = 'iVBORw0KGgo='
const anId: string = expect.stringMatching(/^call_[0-9a-f]{32}$/)
const weatherCall = (id: string, city: string) => ({
  type: 'tool_call' as const,
  id,
  name: 'get_weather',
  ...readToolInput(JSON.stringify({ city })),
})
const sentCall = (city: string, id?: string) => ({
  functionCall: { ...(id !== undefined && { id }), name: 'get_weather', args: { city } },
})

exchangeTests({
  'one tool call': {
    request: { model: newer, messages: [user('Weather in Bern?')], tools },
    sdk: { model: newer, contents: 'Weather in Bern?', config: { ...lowThinking, tools: sdkTools } },
    sent: [[{ text: 'I look.' }], [{ ...sentCall('Bern', 'fc_1'), thoughtSignature: 'EqQBCqEB' }]],
    parts: [text('I look.'), { ...weatherCall('fc_1', 'Bern'), ...signed('EqQBCqEB') }],
    finishReason: 'tool_calls',
  },
  'parallel tool calls of a model that sends no ids': {
    request: {
      model: older,
      messages: [
        user('Weather in Basel?'),
        { role: 'assistant', content: [weatherCall('call_1', 'Basel')] },
        {
          role: 'tool',
          content: [{ type: 'tool_result', toolCallId: 'call_1', name: 'get_weather', content: [text('9')] }],
        },
        user('And in Bern and Genoa?'),
      ],
      tools,
      toolChoice: { type: 'auto' },
      parallelToolCalls: true,
    },
    sdk: {
      model: older,
      contents: [
        { role: 'user', parts: [{ text: 'Weather in Basel?' }] },
        { role: 'model', parts: [sentCall('Basel', 'call_1')] },
        {
          role: 'user',
          parts: [{ functionResponse: { id: 'call_1', name: 'get_weather', response: { output: '9' } } }],
        },
        { role: 'user', parts: [{ text: 'And in Bern and Genoa?' }] },
      ],
      config: {
        ...noThinking,
        tools: sdkTools,
        toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.AUTO } },
      },
    },
    sent: [[sentCall('Bern'), sentCall('Genoa')]],
    parts: [weatherCall(anId, 'Bern'), weatherCall(anId, 'Genoa')],
    finishReason: 'tool_calls',
  },
  'the results of signed parallel calls, one of which failed': {
    request: {
      model: newer,
      messages: [
        user('Weather in Bern and Genoa?'),
        {
          role: 'assistant',
          content: [{ ...weatherCall('fc_1', 'Bern'), ...signed('EqQBCqEB') }, weatherCall('fc_2', 'Genoa')],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool_result',
              toolCallId: 'fc_1',
              name: 'get_weather',
              content: [text('Rain.'), { type: 'image', source: { kind: 'data', data: png, mediaType: 'image/png' } }],
            },
            {
              type: 'tool_result',
              toolCallId: 'fc_2',
              name: 'get_weather',
              content: [text('Offline.')],
              isError: true,
            },
          ],
        },
      ],
      tools,
    },
    sdk: {
      model: newer,
      contents: [
        { role: 'user', parts: [{ text: 'Weather in Bern and Genoa?' }] },
        {
          role: 'model',
          parts: [{ ...sentCall('Bern', 'fc_1'), thoughtSignature: 'EqQBCqEB' }, sentCall('Genoa', 'fc_2')],
        },
        {
          role: 'user',
          parts: [
            {
              functionResponse: {
                id: 'fc_1',
                name: 'get_weather',
                response: { output: 'Rain.' },
                parts: [{ inlineData: { mimeType: 'image/png', data: png } }],
              },
            },
            { functionResponse: { id: 'fc_2', name: 'get_weather', response: { error: 'Offline.' } } },
          ],
        },
      ],
      config: { ...lowThinking, tools: sdkTools },
    },
    // The signature of a text is in a last part without text.
    sent: [[{ text: 'Rain in Bern.' }], [{ text: '', thoughtSignature: 'EvQC' }]],
    parts: [text('Rain in Bern.'), { ...text(''), ...signed('EvQC') }],
  },
  'a forced tool': {
    request: {
      model: newer,
      messages: [user('Hello')],
      tools,
      toolChoice: { type: 'tool', name: 'get_weather' },
    },
    sdk: {
      model: newer,
      contents: 'Hello',
      config: {
        ...lowThinking,
        tools: sdkTools,
        toolConfig: {
          functionCallingConfig: { mode: FunctionCallingConfigMode.ANY, allowedFunctionNames: ['get_weather'] },
        },
      },
    },
    sent: [[{ functionCall: { id: 'fc_1', name: 'get_weather' } }]],
    parts: [{ type: 'tool_call', id: 'fc_1', name: 'get_weather', ...readToolInput('{}') }],
    finishReason: 'tool_calls',
  },
})
