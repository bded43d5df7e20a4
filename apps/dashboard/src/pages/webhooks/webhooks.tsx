// One chunk, so that a record opens at once.
export { DeliverySheet } from './delivery-sheet.tsx'
export { WebhookDetail } from './webhook-detail.tsx'
export { WebhookList } from './webhook-list.tsx'
