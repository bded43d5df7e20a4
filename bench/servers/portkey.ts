import { runPortkey } from './run-portkey.ts'

await runPortkey('openai')
