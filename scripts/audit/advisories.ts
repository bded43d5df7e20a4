import { existsSync, readFileSync } from 'node:fs'

/** The known vulnerabilities of some packages, at a time. */
export interface Advisories {
  readonly fetchedAt: string
  /** The packages that were asked for. */
  readonly packages: readonly string[]
  readonly advisories: readonly Advisory[]
}

export interface Advisory {
  readonly id: string
  readonly package: string
  /** Such as `>= 1.0.0, < 1.2.3`. */
  readonly vulnerable: string
  readonly patched: string | null
  readonly severity: string
  readonly summary: string
}

/** An advisory of https://docs.github.com/rest/security-advisories/global-advisories. */
interface GlobalAdvisory {
  readonly ghsa_id: string
  readonly severity: string
  readonly summary: string
  readonly withdrawn_at: string | null
  readonly vulnerabilities: readonly {
    readonly package: { readonly ecosystem: string; readonly name: string }
    readonly vulnerable_version_range: string | null
    readonly first_patched_version: string | null
  }[]
}

/** As many as fit into an address. GitHub would take 1,000. */
const packagesPerRequest = 200

/** An advisory that is asked for in addition. If it is missing, the answer is not what it seems. */
const known = { id: 'GHSA-67hx-6x53-jw92', package: '@babel/traverse' }

/** Asks GitHub for the advisories of packages of npm, malware included. Rejects if any answer is missing. */
export async function fetchAdvisories(
  packages: readonly string[],
  { url, token }: { readonly url: string; readonly token?: string | undefined },
): Promise<Advisories> {
  const wanted = new Set(packages)
  const asked = [...new Set([known.package, ...packages])]
  const advisories: Advisory[] = []
  for (let start = 0; start < asked.length; start += packagesPerRequest)
    for (const type of ['reviewed', 'malware']) {
      const affects = asked.slice(start, start + packagesPerRequest).join(',')
      const query = new URLSearchParams({ ecosystem: 'npm', type, affects, per_page: '100' })
      for await (const each of readPages(`${url}/advisories?${query.toString()}`, token))
        advisories.push(...toAdvisories(each))
    }
  if (!advisories.some((each) => each.id === known.id)) throw new Error(`${known.id} is missing`)
  const concerning = advisories.filter((each) => wanted.has(each.package))
  const unique = new Map(concerning.map((each) => [`${each.id} ${each.package} ${each.vulnerable}`, each]))
  const sorted = [...unique].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each)
  return { fetchedAt: new Date().toISOString(), packages: [...wanted].toSorted(), advisories: sorted }
}

async function* readPages(first: string, token: string | undefined): AsyncGenerator<GlobalAdvisory> {
  for (let page: string | undefined = first; page;) {
    const headers = { accept: 'application/vnd.github+json', ...(token && { authorization: `Bearer ${token}` }) }
    const response: Response = await fetch(page, { headers, signal: AbortSignal.timeout(30_000) })
    if (!response.ok) throw new Error(`status ${response.status}`)
    yield* (await response.json()) as readonly GlobalAdvisory[]
    page = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  }
}

function toAdvisories({
  ghsa_id,
  severity,
  summary,
  withdrawn_at,
  vulnerabilities,
}: GlobalAdvisory): readonly Advisory[] {
  if (withdrawn_at) return []
  return vulnerabilities
    .filter(({ package: { ecosystem } }) => ecosystem === 'npm')
    .map(({ package: { name }, vulnerable_version_range, first_patched_version }) => ({
      id: ghsa_id,
      package: name,
      // Without a range, all versions are affected.
      vulnerable: vulnerable_version_range ?? '>= 0',
      patched: first_patched_version,
      severity,
      summary,
    }))
}

export function readSaved(file: string): Advisories | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Advisories) : undefined
}
