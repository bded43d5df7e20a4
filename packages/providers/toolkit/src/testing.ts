/** For tests of other packages: an upstream that misbehaves on request, and recorded exchanges. Not published. */
export { openChaosUpstream } from './testing/chaos-upstream.ts'
export { openRecorder } from './testing/open-recorder.ts'
export { openReplay } from './testing/open-replay.ts'
export type { ChaosModel, ChaosUpstream } from './testing/chaos-upstream.ts'
export type { Recorder, RecorderOptions } from './testing/open-recorder.ts'
export type { ReplayServer } from './testing/open-replay.ts'
