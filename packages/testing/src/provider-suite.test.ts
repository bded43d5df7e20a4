import { fakePainter, reader, scripted } from './fakes/fake-providers.ts'
import { providerSuite } from './provider-suite.ts'

const isImmediate = 'it answers before an abort can reach it'
const isScripted = 'its answer and its token counts do not depend on the request'

providerSuite(
  'fake',
  () => ({
    ...reader('fake', { sentiment: { score: 1, label: 'positive' } }),
    ...fakePainter('fake'),
    ...scripted('fake', 'hello there'),
    models: [scripted('fake', ''), fakePainter('fake')].flatMap((provider) => provider.models as []),
  }),
  {
    skip: {
      'starts no work for an aborted call (text)': isImmediate,
      'starts no work for an aborted call (stream)': isImmediate,
      'starts no work for an aborted call (image)': isImmediate,
      'starts no work for an aborted call (analysis)': isImmediate,
      'ends with length when maxTokens is reached (text)': isScripted,
      'ends with length when maxTokens is reached (stream)': isScripted,
      'names the stop sequence that ended the text (text)': isScripted,
      'names the stop sequence that ended the text (stream)': isScripted,
      'counts more tokens for a longer prompt (text)': isScripted,
      'counts more tokens for a longer prompt (stream)': isScripted,
    },
  },
)
