/**
 * The maximum size of each tarball in kB: some 5% above its size when it was last set. A package that grows beyond it fails
 * the check. Raise the number only with the reason in the commit message.
 */
export const maxKilobytes: Readonly<Record<string, number>> = {
  '@fairlead/accounts': 108,
  '@fairlead/anthropic-adapter': 11,
  '@fairlead/cache': 6,
  '@fairlead/core': 203,
  '@fairlead/create': 4,
  '@fairlead/graphql-adapter': 23,
  '@fairlead/http': 22,
  '@fairlead/openai-adapter': 19,
  '@fairlead/passkeys': 4,
  '@fairlead/passwords': 3,
  '@fairlead/provider-ai-sdk': 13,
  '@fairlead/provider-anthropic': 13,
  '@fairlead/provider-google': 13,
  '@fairlead/provider-llama-cpp': 10,
  '@fairlead/provider-local': 1127,
  '@fairlead/provider-local-images': 76,
  '@fairlead/provider-openai-compatible': 32,
  '@fairlead/provider-toolkit': 36,
  '@fairlead/rest-adapter': 30,
  '@fairlead/server': 3947,
  '@fairlead/shipments': 12,
  '@fairlead/storage': 42,
  '@fairlead/testing': 70,
  '@fairlead/usage-export': 5,
  '@fairlead/webhooks': 34,
  'create-fairlead-app': 6,
  'create-fairlead-provider': 10,
  fairlead: 23,
}

/** The maximum size of what an installation brings, in MB of files and without Node, on Linux: some 3% above its size. */
export const maxInstalledMegabytes = {
  'npm install fairlead': 122,
  'npm start': 231,
}
