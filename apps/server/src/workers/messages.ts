// What a worker and the primary process say to each other.
export const readyMessage = 'fairlead: ready'
export const jobsMessage = 'fairlead: run the jobs'
/** With a connection, for the worker to serve. */
export const connectionMessage = 'fairlead: connection'
/** The worker can take a connection. */
export const nextConnectionMessage = 'fairlead: next connection'
/** The worker is about to stop. */
export const leaveMessage = 'fairlead: leave'
/** No connection follows. */
export const lastConnectionMessage = 'fairlead: last connection'
