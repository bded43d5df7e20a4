import { readConfig } from '@fairlead/server/config'
import { type Offline, openOffline } from '@fairlead/server/offline'

/** Acts on the data that the environment names, and closes it. */
export async function withOffline<Result>(act: (offline: Offline) => Promise<Result>): Promise<Result> {
  const offline = await openOffline(readConfig(process.env))
  try {
    return await act(offline)
  } finally {
    await offline.close()
  }
}
