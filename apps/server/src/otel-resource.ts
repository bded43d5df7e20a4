import cluster from 'node:cluster'
import { randomUUID } from 'node:crypto'
import { detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources'

const instance = resourceFromAttributes({ 'service.instance.id': randomUUID() })

/**
 * The attributes of this process in all signals. `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` take precedence.
 */
export function otelResource({ version }: { readonly version: string }): Resource {
  const named = resourceFromAttributes({ 'service.name': 'fairlead', 'service.version': version }).merge(
    detectResources({ detectors: [envDetector] }),
  )
  // Workers share their environment, and the counters of two with one id would be taken for one that falls and rises.
  return cluster.isWorker ? named.merge(instance) : instance.merge(named)
}
