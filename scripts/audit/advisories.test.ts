import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fetchAdvisories } from './advisories.ts'

describe('fetchAdvisories', () => {
  const known = advisory('GHSA-67hx-6x53-jw92', '@babel/traverse')

  test('fetchAdvisories follows the pages of each type, and keeps only what concerns the packages', async () => {
    const { url, requests } = await startGithub({
      reviewed: [
        [
          advisory('GHSA-1', 'parcel'),
          advisory('GHSA-2', 'parcel', { withdrawn_at: '2026-01-01T00:00:00Z' }),
          advisory('GHSA-3', 'stranger'),
        ],
        [advisory('GHSA-4', 'parcel', {}, 'pip'), advisory('GHSA-5', '@scope/parcel'), known],
      ],
      malware: [[advisory('GHSA-6', 'parcel', { severity: 'critical' })]],
    })

    const { packages, advisories } = await fetchAdvisories(['parcel', '@scope/parcel'], { url, token: 'secret' })

    expect(packages).toEqual(['@scope/parcel', 'parcel'])
    expect(advisories.map(({ id }) => id)).toEqual(['GHSA-1', 'GHSA-5', 'GHSA-6'])
    expect(advisories[0]).toEqual({
      id: 'GHSA-1',
      package: 'parcel',
      vulnerable: '< 2.4.1',
      patched: '2.4.1',
      severity: 'high',
      summary: 'Parcels can be opened',
    })
    expect(requests).toEqual([
      ['reviewed', '@babel/traverse,parcel,@scope/parcel', 'Bearer secret'],
      ['reviewed', '@babel/traverse,parcel,@scope/parcel', 'Bearer secret'],
      ['malware', '@babel/traverse,parcel,@scope/parcel', 'Bearer secret'],
    ])
  })

  test('fetchAdvisories asks for many packages in several requests', async () => {
    const { url, requests } = await startGithub({ reviewed: [[known]], malware: [[]] })

    await fetchAdvisories(
      Array.from({ length: 450 }, (_, index) => `p${index}`),
      { url },
    )

    const counts = requests.filter(([type]) => type === 'malware').map(([, affects]) => affects?.split(',').length)
    expect(counts).toEqual([200, 200, 51])
  })

  test('fetchAdvisories rejects if a page is missing', async () => {
    const { url } = await startGithub({ reviewed: [[advisory('GHSA-1', 'parcel')]], malware: [] })

    await expect(fetchAdvisories(['parcel'], { url })).rejects.toThrow('status 404')
  })

  test('fetchAdvisories rejects answers without an advisory that exists', async () => {
    const { url } = await startGithub({ reviewed: [[]], malware: [[]] })

    await expect(fetchAdvisories(['parcel'], { url })).rejects.toThrow('GHSA-67hx-6x53-jw92 is missing')
  })
})

function advisory(ghsa_id: string, name: string, others: object = {}, ecosystem = 'npm') {
  const range = { vulnerable_version_range: '< 2.4.1', first_patched_version: '2.4.1' }
  const vulnerabilities = [{ package: { ecosystem, name }, ...range }]
  return { ghsa_id, severity: 'high', summary: 'Parcels can be opened', withdrawn_at: null, vulnerabilities, ...others }
}

/** The API of GitHub with these pages of advisories. */
async function startGithub(pages: Readonly<Record<string, readonly (readonly object[])[]>>) {
  const requests: (string | null | undefined)[][] = []
  const server = createServer((request, response) => {
    const address = new URL(request.url ?? '', url)
    const [type, page] = [address.searchParams.get('type'), Number(address.searchParams.get('page') ?? 0)]
    requests.push([type, address.searchParams.get('affects'), request.headers.authorization])
    const found = pages[type ?? '']
    address.searchParams.set('page', String(page + 1))
    if (found?.[page + 1]) response.setHeader('link', `<${url}>; rel="first", <${address.href}>; rel="next"`)
    response.statusCode = found?.[page] ? 200 : 404
    response.end(JSON.stringify(found?.[page] ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, requests }
}
