/**
 * The maximum size of each tarball in kB: some 5% above its size when it was last set. A package that grows beyond it fails
 * the check. Raise the number only with the reason in the commit message.
 */
export const maxKilobytes: Readonly<Record<string, number>> = {
  '@fairlead/accounts': 167,
  '@fairlead/anthropic-adapter': 19,
  '@fairlead/cache': 8,
  '@fairlead/core': 340,
  '@fairlead/create': 5,
  '@fairlead/graphql-adapter': 47,
  '@fairlead/http': 36,
  '@fairlead/openai-adapter': 37,
  '@fairlead/passkeys': 5,
  '@fairlead/passwords': 4,
  '@fairlead/provider-ai-sdk': 22,
  '@fairlead/provider-anthropic': 24,
  '@fairlead/provider-google': 24,
  '@fairlead/provider-llama-cpp': 21,
  '@fairlead/provider-local': 1340,
  '@fairlead/provider-local-images': 132,
  '@fairlead/provider-openai-compatible': 63,
  '@fairlead/provider-toolkit': 62,
  '@fairlead/rest-adapter': 48,
  '@fairlead/server': 3890,
  '@fairlead/shipments': 16,
  '@fairlead/storage': 89,
  '@fairlead/testing': 140,
  '@fairlead/usage-export': 6,
  '@fairlead/webhooks': 52,
  'create-fairlead-app': 6,
  'create-fairlead-provider': 12,
  fairlead: 37,
}

/** The maximum size of what an installation brings, in MB of files and without Node, on Linux: some 3% above its size. */
export const maxInstalledMegabytes = {
  'npm install fairlead': 122,
  'npm start': 231,
}
