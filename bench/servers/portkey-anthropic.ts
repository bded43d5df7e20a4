import { runPortkey } from './run-portkey.ts'

/** Translates chat completions to Anthropic's messages. */
await runPortkey('anthropic')
