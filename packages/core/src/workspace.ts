/** For the tests of this repository. Not published. */
export { gateway } from './gateway/gateway.ts'
export { collectScopes } from './runtime/feature.ts'
export { mergeEdges } from './runtime/loaders.ts'
export type { InferenceServices } from './gateway/services.ts'
