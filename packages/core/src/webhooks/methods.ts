// Generated from the operations: npm test -- packages/core/src/methods.test.ts --update
import type {} from '../runtime/method.ts'

export interface WebhooksMethods {}
