package java.util.concurrent.locks;

import java.util.concurrent.TimeUnit;
import veer.Engine;

/** A lock where there is one thread: it counts how often it is held. */
public class ReentrantLock implements Lock, java.io.Serializable {
    private static final long serialVersionUID = 7373984872572414699L;

    private final boolean isFair;
    private int holds;

    public ReentrantLock() {
        this(false);
    }

    public ReentrantLock(boolean isFair) {
        this.isFair = isFair;
    }

    @Override
    public void lock() {
        if (holds == Integer.MAX_VALUE) throw new Error("Maximum lock count exceeded");
        holds++;
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        lock();
    }

    @Override
    public boolean tryLock() {
        lock();
        return true;
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        if (unit == null) throw new NullPointerException();
        return tryLock();
    }

    @Override
    public void unlock() {
        if (holds == 0) throw new IllegalMonitorStateException();
        holds--;
    }

    @Override
    public Condition newCondition() {
        Engine.refuse("a condition of a lock, which other threads meet");
        return null;
    }

    public int getHoldCount() {
        return holds;
    }

    public boolean isHeldByCurrentThread() {
        return holds > 0;
    }

    public boolean isLocked() {
        return holds > 0;
    }

    public final boolean isFair() {
        return isFair;
    }

    public final boolean hasQueuedThreads() {
        return false;
    }

    public final int getQueueLength() {
        return 0;
    }

    @Override
    public String toString() {
        Engine.refuse("the text of a lock");
        return null;
    }
}
