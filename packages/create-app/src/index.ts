import type { Template } from '@fairlead/create'

/** A program that embeds Fairlead, declares an operation, and serves it over HTTP. */
export const appTemplate: Template = {
  command: 'fairlead-app',
  summary: 'a program that embeds Fairlead, and serves its REST API,',
  example: 'my-app',
  folder: new URL('..', import.meta.url),
  packageName: (name) => name,
  rename: (text, name) => text.replaceAll('sample-app', name),
  nextSteps: [
    'npm start prints an API key, and a command to try.',
    'src/main.ts chooses the models and the database.',
    'src/titles.ts is an operation: add your own beside it.',
  ],
}
