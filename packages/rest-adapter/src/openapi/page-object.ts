import type { PageDescription } from '../pages.ts'
import type { FailureResponses } from './failure-responses.ts'
import type { OperationObject } from './openapi-object.ts'

/** Describes a page, which takes no method but `GET`. */
export function pageObject(
  section: string,
  { operationId, summary, parameters = [], secured = false, errors = [], responses }: PageDescription,
  failures: FailureResponses,
): OperationObject {
  return {
    operationId,
    tags: [section],
    summary,
    security: secured ? [{ bearer: [] }] : [],
    ...(parameters.length > 0 && { parameters }),
    responses: { ...responses, ...failures.describe([...errors, 'METHOD_NOT_ALLOWED', 'INTERNAL_ERROR']) },
  }
}
