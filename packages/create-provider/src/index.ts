import type { Template } from '@fairlead/create'

const prefix = 'fairlead-provider-'

/** A package with a provider. Its template is a provider of an API called Quill. */
export const providerTemplate: Template = {
  command: 'fairlead-provider',
  summary: 'a package with a provider, which connects Fairlead to the API of a model,',
  example: 'acme',
  folder: new URL('..', import.meta.url),
  packageName: (name) => prefix + ownName(name),
  rename(text, given) {
    const name = ownName(given)
    const pascal = name.replace(/(^|-)(.)/g, (_, _dash, letter: string) => letter.toUpperCase())
    return (
      text
        // The function `quill` is a name of JavaScript; elsewhere, the word stands in texts and paths.
        .replace(/\bquill(?=\(| \}|,)/g, functionName(pascal))
        .replaceAll('quill', name)
        .replaceAll('Quill', pascal)
        .replaceAll('QUILL', name.toUpperCase().replaceAll('-', '_'))
    )
  },
  nextSteps: [
    'src/wire.ts maps requests and replies: write those of your API.',
    'src/quill.ts lists the models, and has a method for each capability: remove those that your API lacks.',
    'src/quill.test.ts has a recorded exchange for each of them.',
    'LICENSE and README.md need your name, options, and models.',
  ],
}

/** A word of the language cannot name a function (ECMAScript, 12.7.2). */
function functionName(pascal: string): string {
  const name = pascal[0]!.toLowerCase() + pascal.slice(1)
  return reserved.has(name) ? `${name}Provider` : name
}

const reserved = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false ' +
    'finally for function if implements import in instanceof interface let new null package private protected public ' +
    'return static super switch this throw true try typeof var void while with yield'
  ).split(' '),
)

/** The name without the prefix, which users may write or leave out. */
function ownName(name: string): string {
  return name.startsWith(prefix) ? name.slice(prefix.length) : name
}
