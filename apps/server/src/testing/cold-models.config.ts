import { local } from '@fairlead/provider-local'

// The local models without their warm-up, which takes most of the time of a start. Each loads with its first request.
const { warmUp: _warmUp, ...cold } = local()

export default { providers: [cold] }
