const optional = true as const;

/** The columns that say why, by whom and when a session was cancelled. */
export const LOSS_COLUMNS = [
  {
    name: 'Cancellation Reason',
    optional,
    also: ['Cancellation Cause', 'Cancel Reason', 'Cancelled Reason', 'Canceled Reason', 'Reason for Cancellation'],
  },
  { name: 'Cancelled By', optional, also: ['Canceled By', 'Cancellation By', 'Cancellation Source'] },
  {
    name: 'Cancelled At',
    optional,
    also: [
      'Canceled At',
      'Cancelled On',
      'Canceled On',
      'Cancelled Date',
      'Canceled Date',
      'Cancel Date',
      'Cancellation Date',
      'Cancellation Time',
      'Cancellation Date Time',
      'Date Cancelled',
      'Date Canceled',
    ],
  },
];

/** The columns that mark a session as cancelled or deleted, and that say in which zone its times are. */
export const MARK_COLUMNS = [
  { name: 'Cancelled', also: ['Canceled', 'Is Cancelled', 'Is Canceled', 'Cancel', 'Cancellation'] },
  { name: 'Deleted', also: ['Is Deleted', 'Delete', 'Void', 'Voided', 'Is Void', 'Removed', 'Archived'] },
  { name: 'Time Zone', also: ['Timezone', 'TZ', 'Zone', 'Time Zone Name', 'Appointment Time Zone'] },
].map((column) => ({ ...column, optional, byAnswer: true as const }));
