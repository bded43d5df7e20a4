import type { Config } from '@fairlead/server/config'
import type { Offline } from '@fairlead/server/offline'

/** Acts on the data that the environment names, and closes it. Settings of `override` replace the environment's. */
export async function withOffline<Result>(
  act: (offline: Offline) => Promise<Result>,
  override: Partial<Config> = {},
): Promise<Result> {
  const [{ readConfig }, { openOffline }] = await Promise.all([
    import('@fairlead/server/config'),
    import('@fairlead/server/offline'),
  ])
  const offline = await openOffline({ ...readConfig(process.env), ...override })
  try {
    return await act(offline)
  } finally {
    await offline.close()
  }
}
