import { describe, expect, test } from 'vitest'
import { providerTemplate } from './index.ts'

const rename = (text: string) => providerTemplate.rename(text, 'my-api')

describe('npm create fairlead-provider', () => {
  test.for(['my-api', 'fairlead-provider-my-api'])(
    'npm create fairlead-provider names the package of %s fairlead-provider-my-api',
    (name) => {
      expect(providerTemplate.packageName(name)).toBe('fairlead-provider-my-api')
      expect(providerTemplate.rename('"name": "fairlead-provider-quill"', name)).toBe(
        '"name": "fairlead-provider-my-api"',
      )
    },
  )

  test('npm create fairlead-provider writes a word of JavaScript so that it can name a function', () => {
    expect(providerTemplate.rename("import { quill } from './quill.ts'", 'switch')).toBe(
      "import { switchProvider } from './switch.ts'",
    )
  })

  test('npm create fairlead-provider writes the name as JavaScript, environment variables, ids, and paths have it', () => {
    expect(rename("import { quill } from './quill.ts'")).toBe("import { myApi } from './my-api.ts'")
    expect(rename('export { quill, type QuillOptions }')).toBe('export { myApi, type MyApiOptions }')
    expect(rename("quill({ id: 'quill', apiKey: env.QUILL_API_KEY })")).toBe(
      "myApi({ id: 'my-api', apiKey: env.MY_API_API_KEY })",
    )
    expect(rename('`quill/goose` of https://quill.example')).toBe('`my-api/goose` of https://my-api.example')
  })
})
