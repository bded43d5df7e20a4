export { run } from './run.ts'
export type { Template } from './template.ts'
