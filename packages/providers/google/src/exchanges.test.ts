import { type GenerateContentConfig, ThinkingLevel } from '@google/genai'
import { exchangeTests, signed, text, user } from './testing/exchange-tests.ts'

const older = 'gemini-2.5-flash'
const newer = 'gemini-3.8-flash'
const noThinking: GenerateContentConfig = { thinkingConfig: { thinkingBudget: 0 } }
const png = 'iVBORw0KGgo='
const moodSchema = { type: 'object', properties: { mood: { type: 'string', enum: ['calm', 'wild'] } } }

exchangeTests({
  'a chat of two turns with a system prompt': {
    request: {
      model: older,
      messages: [
        { role: 'system', content: [text('Answer in one word.')] },
        user('Which lake is the deepest?'),
        { role: 'assistant', content: [text('Baikal.')] },
        user('And the largest?'),
      ],
      maxTokens: 64,
      temperature: 0.2,
      topP: 0.9,
      seed: 7,
      stop: ['END'],
    },
    sdk: {
      model: older,
      contents: [
        { role: 'user', parts: [{ text: 'Which lake is the deepest?' }] },
        { role: 'model', parts: [{ text: 'Baikal.' }] },
        { role: 'user', parts: [{ text: 'And the largest?' }] },
      ],
      config: {
        ...noThinking,
        systemInstruction: 'Answer in one word.',
        maxOutputTokens: 64,
        temperature: 0.2,
        topP: 0.9,
        seed: 7,
        stopSequences: ['END'],
      },
    },
    sent: [[{ text: 'The Caspian' }], [{ text: ' Sea.' }]],
    parts: [text('The Caspian Sea.')],
  },
  'an image and a document': {
    request: {
      model: older,
      messages: [
        {
          role: 'user',
          content: [
            text('Compare them.'),
            { type: 'image', source: { kind: 'data', data: png, mediaType: 'image/png' } },
            {
              type: 'file',
              source: { kind: 'data', data: 'JVBERi0=', mediaType: 'application/pdf' },
              filename: 'lake.pdf',
            },
          ],
        },
      ],
    },
    sdk: {
      model: older,
      contents: [
        { text: 'Compare them.' },
        { inlineData: { mimeType: 'image/png', data: png } },
        { inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=' } },
      ],
      config: noThinking,
    },
    sent: [[{ text: 'Both show a lake.' }]],
    parts: [text('Both show a lake.')],
  },
  'JSON of a schema': {
    request: {
      model: older,
      messages: [user('How is the lake?')],
      responseFormat: { type: 'json_schema', name: 'mood', schema: moodSchema, strict: true },
    },
    sdk: {
      model: older,
      contents: 'How is the lake?',
      config: { ...noThinking, responseMimeType: 'application/json', responseJsonSchema: moodSchema },
    },
    sent: [[{ text: '{"mood":' }], [{ text: '"calm"}' }]],
    parts: [text('{"mood":"calm"}')],
  },
  'reasoning with its thoughts': {
    request: { model: newer, messages: [user('17 * 23?')], reasoning: { effort: 'high' } },
    sdk: {
      model: newer,
      contents: '17 * 23?',
      config: { thinkingConfig: { thinkingLevel: ThinkingLevel.HIGH, includeThoughts: true } },
    },
    sent: [[{ text: 'I multiply.', thought: true }], [{ text: '391', thoughtSignature: 'EvQC' }]],
    parts: [
      { type: 'reasoning', text: 'I multiply.' },
      { ...text('391'), ...signed('EvQC') },
    ],
    counted: { thoughtsTokenCount: 40 },
  },
  'reasoning that is off, and options of the API': {
    request: {
      model: older,
      messages: [user('17 * 23?')],
      reasoning: { effort: 'none' },
      providerOptions: { google: { generationConfig: { topK: 3 }, cachedContent: 'cachedContents/lake' } },
    },
    sdk: {
      model: older,
      contents: '17 * 23?',
      config: { ...noThinking, topK: 3, cachedContent: 'cachedContents/lake' },
    },
    sent: [[{ text: '391' }]],
    parts: [text('391')],
    counted: { cachedContentTokenCount: 16 },
  },
})
