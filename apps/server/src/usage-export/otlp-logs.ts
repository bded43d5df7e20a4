import type { UsageRecord } from '@fairlead/core/stores'
import { toLine, type UsageDestination } from '@fairlead/usage-export'
import type { Attributes, HrTime } from '@opentelemetry/api'
import { ExportResultCode } from '@opentelemetry/core'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http'
import type { Resource } from '@opentelemetry/resources'
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs'
import type { Service } from '../app.ts'
import { otelResource } from '../otel-resource.ts'

/** Keeps a request far below the 20 MiB that a collector takes. */
const maxPerRequest = 1_000

/**
 * Sends usage records as log records of the event `fairlead.usage` over OTLP/HTTP with JSON, with the fields of a line as
 * attributes. The exporter reads `OTEL_EXPORTER_OTLP_HEADERS` and the like from the environment.
 *
 * @param endpoint a base URL, such as `http://127.0.0.1:4318`
 */
export function otlpLogs(endpoint: string, service: Service): UsageDestination {
  const resource = otelResource(service)
  const exporter = new OTLPLogExporter({ url: `${endpoint}/v1/logs` })
  return {
    name: 'otlp',
    async write({ records }) {
      for (let start = 0; start < records.length; start += maxPerRequest) {
        await send(records.slice(start, start + maxPerRequest).map((record) => toLogRecord(record, resource)))
      }
    },
  }

  function send(logs: ReadableLogRecord[]): Promise<void> {
    return new Promise((resolve, reject) =>
      exporter.export(logs, ({ code, error }) => {
        if (code === ExportResultCode.SUCCESS) resolve()
        else reject(error ?? new Error('the collector took no usage records'))
      }),
    )
  }
}

const instrumentationScope = { name: 'fairlead' }

function toLogRecord(record: UsageRecord, resource: Resource): ReadableLogRecord {
  const hrTime = toHrTime(record.at)
  return {
    hrTime,
    hrTimeObserved: hrTime,
    eventName: 'fairlead.usage',
    attributes: toAttributes(record),
    droppedAttributesCount: 0,
    resource,
    instrumentationScope,
  }
}

/** A field without a value has no attribute. */
function toAttributes(record: UsageRecord): Attributes {
  const { tags, attempts, ...fields } = toLine(record)
  const all = {
    ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? undefined])),
    ...Object.fromEntries(Object.entries(tags).map(([name, value]) => [`tags.${name}`, value])),
    ...(attempts.length > 0 && { attempts: JSON.stringify(attempts) }),
  }
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [`fairlead.usage.${name}`, value]))
}

function toHrTime(at: number): HrTime {
  return [Math.floor(at / 1_000), (at % 1_000) * 1_000_000]
}
