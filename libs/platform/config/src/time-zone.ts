/** Whether this machine knows a time zone of this name. */
export const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'RangeError') return false;
    throw error;
  }
};
